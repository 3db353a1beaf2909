/** Postgres: NUL in a text, or in one of a JSON document. */
const SQL_STATES = new Set(['22021', '22P05']);
/** What it says of half of a surrogate pair in a JSON document, whose state any text that is no JSON has too; Prisma leaves it out. */
const WORDS = /unicode (?:low|high) surrogate/i;

/**
 * Whether a query failed because of a character that Postgres keeps in no text. Texts are checked where they come in; this is how
 * one that came in by another way is recognized, so that it is refused as what it is.
 */
export function isUnstorableText(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const found = error as Readonly<
    Record<'code' | 'originalCode' | 'message' | 'originalMessage' | 'detail' | 'cause' | 'meta' | 'driverAdapterError', unknown>
  >;
  if ([found.code, found.originalCode].some((code) => typeof code === 'string' && SQL_STATES.has(code))) return true;
  if ([found.message, found.originalMessage, found.detail].some((text) => typeof text === 'string' && WORDS.test(text))) return true;
  return [found.cause, found.meta, found.driverAdapterError].some(isUnstorableText);
}
