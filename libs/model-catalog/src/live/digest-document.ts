import { createHash } from 'node:crypto';

/** Of a document, whatever the order of its members: a database gives them back in another. */
export function digestDocument(document: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortMembers(document)))
    .digest('hex')
    .slice(0, 32);
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sortMembers(member)]));
}
