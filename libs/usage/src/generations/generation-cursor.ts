import type { CountedMark, GenerationPosition } from './generation-query';

/** A place in the list of requests, and of which part of it: all of it, or what came to be counted after a moment. */
export type GenerationCursor = { readonly before?: GenerationPosition; readonly since?: CountedMark };

/** Version, admission, when and what had been counted, id. None of it is a secret, and none of it gives a right. */
const CURSOR = /^1\.(\d{0,15})\.(\d{0,15})\.(\d{0,18})\.([^\0]{0,500})$/;
/** The last day that Postgres and RFC 3339 can both express. */
const LAST_MS = Date.UTC(9999, 11, 31);

export function encodeGenerationCursor({ before, since }: GenerationCursor): string {
  const parts = [1, before?.admittedAtMs ?? '', since?.atMs ?? '', since?.mark ?? '', before?.requestId ?? ''];
  return Buffer.from(parts.join('.')).toString('base64url');
}

/** Undefined for whatever was not made here. */
export function decodeGenerationCursor(text: string): GenerationCursor | undefined {
  const found = CURSOR.exec(Buffer.from(text, 'base64url').toString());
  if (found === null) return undefined;
  const [, admittedAt = '', countedAt = '', mark = '', requestId = ''] = found;
  if (Number(admittedAt) > LAST_MS || Number(countedAt) > LAST_MS) return undefined;
  const before = readPlace(admittedAt, requestId);
  const since = readMark(countedAt, mark);
  return before === undefined && since === undefined ? undefined : { ...before, ...since };
}

function readPlace(admittedAt: string, requestId: string): Pick<GenerationCursor, 'before'> | undefined {
  return admittedAt === '' || requestId === '' ? undefined : { before: { admittedAtMs: Number(admittedAt), requestId } };
}

function readMark(countedAt: string, mark: string): Pick<GenerationCursor, 'since'> | undefined {
  return countedAt === '' || mark === '' ? undefined : { since: { atMs: Number(countedAt), mark: BigInt(mark) } };
}
