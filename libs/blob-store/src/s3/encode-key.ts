import { z } from 'zod';
import { encodeOwner } from '../blob/blob-id';
import type { BlobKind, BlobRecord } from '../blob/blob-store';

/** What a key holds of a blob beside its place: one listing then shows everything, and nothing else has to be read. */
const facts = z.tuple([z.string(), z.string(), z.string(), z.number(), z.number()]);

/** Keys of S3 have at most 1024 bytes, of which names get what is left. */
const NAME_BYTES_MAX = 300;
const FORM = /^(file|result)\/([0-9a-f]*)\/(file-[0-9A-Za-z]{24})\/([A-Za-z0-9_-]+)$/;

/** `<kind>/<owner>/<id>/<facts>`: the keys of one blob, of one kind of an organization, or of everything, by their beginning. */
export function keyPrefix(kind: BlobKind, organizationId: string, id?: string): string {
  return `${kind}/${encodeOwner(organizationId)}/${id === undefined ? '' : `${id}/`}`;
}

export function encodeKey(record: BlobRecord): string {
  const { kind, organizationId, id, name, type, purpose, createdAtMs, expiresAtMs } = record;
  const reported = Buffer.from(JSON.stringify([name, type, purpose, createdAtMs, expiresAtMs])).toString('base64url');
  return keyPrefix(kind, organizationId, id) + reported;
}

/** A name that fits a key; a long one loses its beginning, so that it keeps its extension. */
export function shortenName(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > NAME_BYTES_MAX) short = [...short].slice(1).join('');
  return short;
}

/** Undefined for a key that is not of this store's making. */
export function decodeKey(key: string, size: number): BlobRecord | undefined {
  const [, kind, owner = '', id = '', reported = ''] = FORM.exec(key) ?? [];
  if (kind === undefined) return undefined;
  const read = facts.safeParse(parseJson(Buffer.from(reported, 'base64url').toString('utf8')));
  if (!read.success) return undefined;
  const [name, type, purpose, createdAtMs, expiresAtMs] = read.data;
  const organizationId = Buffer.from(owner, 'hex').toString('utf8');
  return { id, organizationId, kind: kind as BlobKind, name, type, size, purpose, createdAtMs, expiresAtMs };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not of this store's making
  }
}
