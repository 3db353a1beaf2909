/** A header value as node:http gives it. */
type Header = string | string[] | undefined;

/**
 * The key a request carries, from `Authorization: Bearer` or `x-api-key`. When both are there and differ, `preferred`
 * wins. Returns undefined when there is none, or an empty one.
 */
export function readCredential(headers: Readonly<Record<string, Header>>, preferred: 'bearer' | 'x-api-key'): string | undefined {
  const bearer = readBearer(headers['authorization']);
  const apiKey = oneValue(headers['x-api-key'])?.trim() || undefined;
  return preferred === 'bearer' ? (bearer ?? apiKey) : (apiKey ?? bearer);
}

function readBearer(header: Header): string | undefined {
  const value = oneValue(header);
  if (value === undefined || value.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  return value.slice(7).trim() || undefined;
}

function oneValue(header: Header): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
