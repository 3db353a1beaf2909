import { BodyInPieces } from './body-in-pieces';
import { indexMembers, type MemberSpan } from './index-members';

/**
 * The caller's JSON object as it came, with the place of each top-level member, so that the express lane changes
 * exactly what it must and every other byte stays the caller's: unknown fields, number spellings, key order.
 */
export type OriginalBody = {
  /** The whole of it. Of a body that came as bytes, made when it is first asked for. */
  readonly text: string;
  /** The same with its longest texts cut, to look for short ones in: names of members, words that stand alone. */
  readonly outline: string;
  readonly members: readonly MemberSpan[];
  /** The bits of its short values (see `wordBit`); absent where no one has looked. */
  readonly words?: number;
  /** What the members are places in, where that is not the text. */
  readonly bytes?: Buffer;
};

type BodyEdit = { readonly set: ReadonlyMap<string, string>; readonly remove: ReadonlySet<string> };

const NOTHING: ReadonlySet<string> = new Set();

/** A stretch of a body that stays, or text that is put there. */
type Piece = { readonly start: number; end: number } | string;

/** Reads where the top-level members of a valid JSON object stand. Returns undefined when `text` is no object. */
export function createOriginalBody(text: string): OriginalBody | undefined {
  const members = indexMembers(text);
  return members === undefined ? undefined : { text, outline: text, members };
}

/** What a short text is known by, so that most need not be looked for: its first sign and its length. Several share a bit. */
export function wordBit(first: number, length: number): number {
  return 1 << ((first * 5 + length) & 31);
}

/** Whether a word is a value somewhere in the body, written without escapes. It may find too much. */
export function mayHoldWord({ words, outline }: OriginalBody, word: string): boolean {
  if (words !== undefined && (words & wordBit(word.charCodeAt(0), word.length)) === 0) return false;
  return outline.includes(`"${word}"`);
}

/** The raw JSON text of a top-level member; the last one wins, as in JSON.parse. */
export function readMember(body: OriginalBody, name: string): string | undefined {
  const { members, bytes } = body;
  for (let index = members.length - 1; index >= 0; index -= 1) {
    const member = members[index] as MemberSpan;
    if (member.name !== name) continue;
    const { valueStart, valueEnd } = member;
    return bytes === undefined ? body.text.slice(valueStart, valueEnd) : bytes.toString('utf8', valueStart, valueEnd);
  }
  return undefined;
}

/**
 * Writes the body with some top-level members set (values are JSON text; a member that is not there is appended) and
 * some removed. Everything else is copied byte for byte.
 */
export function editBody(body: OriginalBody, edit: BodyEdit): string {
  const { bytes } = body;
  const text = bytes === undefined ? body.text : '';
  let edited = '';
  for (const piece of listPieces(body.members, edit)) {
    if (typeof piece === 'string') edited += piece;
    else edited += bytes === undefined ? text.slice(piece.start, piece.end) : bytes.toString('utf8', piece.start, piece.end);
  }
  return edited;
}

/** From here on a copy costs more than to send a body piece by piece. */
const PIECES_LENGTH_MIN = 128 * 1024;

/** Writes a text body with one member set; one that stands there once is replaced where it is, and nothing else is touched. */
export function replaceMember(body: OriginalBody, name: string, value: string): string {
  const span = findOnly(body.members, name);
  if (span === undefined || body.bytes !== undefined) return editBody(body, { set: new Map([[name, value]]), remove: NOTHING });
  return body.text.slice(0, span.valueStart) + value + body.text.slice(span.valueEnd);
}

function findOnly(members: readonly MemberSpan[], name: string): MemberSpan | undefined {
  let found: MemberSpan | undefined;
  for (const member of members) {
    if (member.name !== name) continue;
    if (found !== undefined) return undefined;
    found = member;
  }
  return found;
}

/** The same as bytes where the body came as bytes: what stays is copied once at most, and is never made text. */
export function editOriginal(body: OriginalBody, edit: BodyEdit): string | Buffer | BodyInPieces {
  const { bytes } = body;
  if (bytes === undefined) return editBody(body, edit);
  const pieces = listPieces(body.members, edit);
  return bytes.length >= PIECES_LENGTH_MIN ? cutPieces(bytes, pieces) : joinPieces(bytes, pieces);
}

const CLOSE_BRACE = 0x7d;

/** The brace at the end, which stands behind the last member most often, is no piece of its own. */
function cutPieces(bytes: Buffer, pieces: readonly Piece[]): BodyInPieces {
  const last = pieces.at(-2);
  const isBraceNext = pieces.at(-1) === '}' && typeof last === 'object' && bytes[last.end] === CLOSE_BRACE;
  if (!isBraceNext) return new BodyInPieces(pieces.map((piece) => cutPiece(bytes, piece)));
  const before = pieces.slice(0, -2).map((piece) => cutPiece(bytes, piece));
  return new BodyInPieces([...before, bytes.subarray(last.start, last.end + 1)]);
}

function cutPiece(bytes: Buffer, piece: Piece): Buffer {
  return typeof piece === 'string' ? Buffer.from(piece) : bytes.subarray(piece.start, piece.end);
}

function joinPieces(bytes: Buffer, pieces: readonly Piece[]): Buffer {
  let length = 0;
  for (const piece of pieces) length += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.end - piece.start;
  const edited = Buffer.allocUnsafe(length);
  let at = 0;
  for (const piece of pieces) at += typeof piece === 'string' ? edited.write(piece, at) : bytes.copy(edited, at, piece.start, piece.end);
  return edited;
}

/** Members that stay and have but a comma between them are one piece. */
function listPieces(members: readonly MemberSpan[], { set, remove }: BodyEdit): Piece[] {
  const pieces: Piece[] = [];
  const written: string[] = [];
  let kept: { readonly start: number; end: number } | undefined;
  let text = '{';
  let comma = '';
  for (const { name, start, valueEnd } of members) {
    if (remove.has(name)) continue;
    const value = set.get(name);
    if (value !== undefined) {
      if (written.includes(name)) continue;
      written.push(name);
      text += `${comma}${JSON.stringify(name)}:${value}`;
    } else if (kept !== undefined && text === '' && kept.end + 1 === start) {
      kept.end = valueEnd;
    } else {
      kept = { start, end: valueEnd };
      pieces.push(text + comma, kept);
      text = '';
    }
    comma = ',';
  }
  for (const [name, value] of set) {
    if (written.includes(name)) continue;
    text += `${comma}${JSON.stringify(name)}:${value}`;
    comma = ',';
  }
  pieces.push(`${text}}`);
  return pieces;
}
