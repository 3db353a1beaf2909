import { createHash, type Hash } from 'node:crypto';
import { takeTurn } from './yield-event-loop';

/** Of a text, in one go. */
const PIECE_LENGTH = 512 * 1024;
/** Small pieces are joined before they are digested. */
const JOINED_LENGTH = 16 * 1024;

/**
 * A digest of a JSON value that is the same for equal values, in whatever order their members are; for those too large for
 * `canonicalJson`. Others are served meanwhile.
 */
export async function digestJson(value: unknown): Promise<string> {
  const hash = createHash('sha256');
  let joined = '';
  for (const piece of listPieces(value)) {
    joined += piece;
    if (joined.length < JOINED_LENGTH) continue;
    update(hash, joined);
    joined = '';
    const turn = takeTurn();
    if (turn !== undefined) await turn;
  }
  update(hash, joined);
  return hash.digest('hex');
}

/** By code units: a text may be cut anywhere, and hold halves of characters. */
function update(hash: Hash, text: string): void {
  hash.update(text, 'utf16le');
}

function* listPieces(value: unknown): Generator<string> {
  if (typeof value === 'string') yield* listTextPieces(value);
  else if (Array.isArray(value)) {
    yield '[';
    for (const element of value) {
      yield* listPieces(element);
      yield ',';
    }
    yield ']';
  } else if (typeof value === 'object' && value !== null) {
    yield '{';
    for (const name of Object.keys(value).sort()) {
      const member = (value as Readonly<Record<string, unknown>>)[name];
      if (member === undefined) continue;
      yield JSON.stringify(name);
      yield* listPieces(member);
      yield ',';
    }
    yield '}';
  } else yield JSON.stringify(value) ?? 'null';
}

/** Its length comes first, so that no text can be taken for what stands around another. */
function* listTextPieces(text: string): Generator<string> {
  yield `"${text.length}:`;
  for (let from = 0; from < text.length; from += PIECE_LENGTH) yield text.slice(from, from + PIECE_LENGTH);
}
