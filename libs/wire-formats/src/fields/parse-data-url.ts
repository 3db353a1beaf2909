type DataUrl = { readonly mediaType: string; readonly data: string };

/** The header of a data URL is short; a longer one is not worth looking for. */
const HEADER_MAX = 256;

/** Splits `data:<media type>;base64,<data>`. Returns undefined for anything else. */
export function parseDataUrl(url: string): DataUrl | undefined {
  if (!url.startsWith('data:')) return undefined;
  const comma = url.slice(0, HEADER_MAX).indexOf(',');
  if (comma === -1) return undefined;
  const header = url.slice('data:'.length, comma);
  if (!header.toLowerCase().endsWith(';base64')) return undefined;
  const mediaType = (header.split(';')[0] ?? '').trim().toLowerCase();
  // A common slip that providers refuse.
  return { mediaType: mediaType === 'image/jpg' ? 'image/jpeg' : mediaType, data: url.slice(comma + 1) };
}

export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}
