import type { Attachment } from './draft';

export type Attached = { readonly attachment: Attachment } | { readonly error: string };

/** Of a whole body, as gateways have it unless an operator set another (JSON_BODY_BYTES_MAX). */
export const BODY_BYTES_MAX = 20 * 1024 * 1024;
const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const TEXTS = /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|javascript|sql))/;
const TEXT_NAMES = /\.(?:txt|md|csv|tsv|json|ya?ml|xml|html|css|[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|h|cpp|cs|php|sh|sql|toml|ini|log)$/i;

/** What the file chooser offers. */
export const ACCEPTED = [...IMAGES, 'application/pdf', 'text/*', '.md', '.csv', '.json', '.yaml', '.yml', '.log'].join(',');

export async function attachFile(file: File, id: string): Promise<Attached> {
  const { name, type, size } = file;
  if (size === 0) return { error: `${name} is empty.` };
  if (size > BODY_BYTES_MAX) return { error: `${name} has ${formatBytes(size)}; a request may have ${formatBytes(BODY_BYTES_MAX)}.` };
  if (IMAGES.has(type)) {
    const url = await readDataUrl(file);
    return { attachment: { id, name, bytes: url.length, part: { type: 'image_url', image_url: { url } } } };
  }
  if (type === 'application/pdf') {
    const data = await readDataUrl(file);
    return { attachment: { id, name, bytes: data.length, part: { type: 'file', file: { filename: name, file_data: data } } } };
  }
  if (TEXTS.test(type) || TEXT_NAMES.test(name)) {
    const text = `${name}:\n\n${await file.text()}`;
    return { attachment: { id, name, bytes: size, part: { type: 'text', text } } };
  }
  return { error: `${name} is none of what a prompt can hold: PNG, JPEG, GIF, WebP, PDF and files of text.` };
}

/** A image by its address: the provider, or the gateway for it, fetches it. */
export function attachAddress(address: string, id: string): Attached {
  const text = address.trim();
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return { error: 'An address that begins with https:// or http://.' };
  const url = new URL(text).href;
  return { attachment: { id, name: url, bytes: 0, part: { type: 'image_url', image_url: { url } } } };
}

export function sumBytes(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, { bytes }) => sum + bytes, 0);
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

export function readDataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'));
    reader.readAsDataURL(file);
  });
}
