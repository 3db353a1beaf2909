import { canonicalJson } from '@weir/http-server';
import { GatewayError } from '@weir/errors';
import { createHash } from 'node:crypto';
import type { ScimDocument } from './attribute';

const CHARS = 22;

/** A weak ETag: of what a resource says, whichever attributes are asked for. */
export function makeEtag(document: ScimDocument): string {
  return `W/"${createHash('sha256').update(canonicalJson(document)).digest('base64url').slice(0, CHARS)}"`;
}

/** Throws `precondition_failed` when a client wants to change another version than there is. */
export function checkIfMatch(header: string | undefined, etag: string): void {
  if (header === undefined || names(header, etag)) return;
  throw new GatewayError('precondition_failed', 'The resource was changed since. Read it again, then change what it is now.');
}

/** Whether a client has this version already. */
export function isKnown(header: string | undefined, etag: string): boolean {
  return header !== undefined && names(header, etag);
}

/** Compared weakly: what comes before the quotation mark says nothing about which version it is. */
function names(header: string, etag: string): boolean {
  const opaque = (one: string): string => one.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((one) => opaque(one) === opaque(etag));
}
