import { endOfScalar, endOfString, isHeldByDouble, readName } from '@weir/canonical';
import { createHash, type Hash } from 'node:crypto';
import { takeTurn } from './yield-event-loop';

/** Of a long text, a value or a name whose own text is longer stands as its digest, so that nothing large is put together. */
const LONG_LENGTH = 128;
/** Of a text, in one go. */
const PIECE_LENGTH = 512 * 1024;
/** So many characters are gone through before others may have their turn. */
const STEP_LENGTH = 64 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Members at the top that count for nothing. */
type LeftOut = ReadonlySet<string>;

/**
 * What a JSON text says, in a form that is the same in whatever order the members of its objects are, and however it is spaced. It
 * is made of the text alone: every digit of a number counts, and so does a member that is there twice. The text has to be JSON.
 */
export function fingerprintJson(text: string, leftOut: LeftOut): string {
  const reading = new Reading(text, { leftOut, isShort: false });
  return reading.run(text.length) ?? '';
}

/** The same for a text of any size, in a form that is short: others are served meanwhile. */
export async function fingerprintLongJson(text: string, leftOut: LeftOut): Promise<string> {
  const reading = new Reading(text, { leftOut, isShort: true });
  for (let until = STEP_LENGTH; ; until += STEP_LENGTH) {
    const made = reading.run(until);
    if (made !== undefined) return made;
    const turn = takeTurn();
    if (turn !== undefined) await turn;
  }
}

type Member = { readonly name: string; readonly text: string };
/** An object or a list that is open. `name`: of the member that is read. */
type Holder = { readonly members: Member[] | undefined; readonly elements: string[]; name: string | undefined };

class Reading {
  private position = 0;
  private readonly holders: Holder[] = [];
  /** A text that is digested piece by piece, and where it ends. */
  private open: { readonly hash: Hash; readonly end: number } | undefined;
  private made: string | undefined;

  constructor(
    private readonly text: string,
    private readonly options: { readonly leftOut: LeftOut; readonly isShort: boolean },
  ) {}

  /** Reads on, up to a place or a little further. Returns the fingerprint once the text has ended. */
  run(until: number): string | undefined {
    const { text } = this;
    while (this.position < text.length && this.position < until) {
      if (this.open !== undefined) this.readOpen();
      else this.readNext(text.charCodeAt(this.position));
    }
    return this.position < text.length ? undefined : (this.made ?? '');
  }

  private readNext(code: number): void {
    if (code <= 0x20 || code === COMMA || code === COLON) this.position += 1;
    else if (code === QUOTE) this.readText();
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      this.position += 1;
      this.holders.push({ members: code === OPEN_BRACE ? [] : undefined, elements: [], name: undefined });
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      this.position += 1;
      this.close();
    } else this.readScalar(code);
  }

  private readText(): void {
    const start = this.position;
    const end = endOfString(this.text, start);
    const holder = this.holders.at(-1);
    if (holder?.members !== undefined && holder.name === undefined) {
      this.position = end;
      holder.name = readName(this.text.slice(start, end));
    } else if (this.options.isShort && end - start > LONG_LENGTH) {
      this.open = { hash: createHash('sha256'), end };
    } else {
      this.position = end;
      this.add(JSON.stringify(readName(this.text.slice(start, end))));
    }
  }

  /** A long text counts as it is written. */
  private readOpen(): void {
    const { hash, end } = this.open as NonNullable<Reading['open']>;
    const to = Math.min(end, this.position + PIECE_LENGTH);
    hash.update(this.text.slice(this.position, to), 'utf16le');
    this.position = to;
    if (to < end) return;
    this.open = undefined;
    this.add(`#${hash.digest('base64url')}`);
  }

  private readScalar(code: number): void {
    const start = this.position;
    this.position = endOfScalar(this.text, start);
    const scalar = this.text.slice(start, this.position);
    const isNumber = code === MINUS || (code >= ZERO && code <= NINE);
    this.add(isNumber && isHeldByDouble(scalar) ? JSON.stringify(Number(scalar)) : scalar);
  }

  private close(): void {
    const { members, elements } = this.holders.pop() as Holder;
    if (members === undefined) return this.add(this.shorten(`[${elements.join(',')}]`));
    // Stable: of members with one name the order counts.
    members.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
    let joined = '';
    for (const { name, text } of members) joined += `${joined === '' ? '' : ','}${this.shorten(JSON.stringify(name))}:${text}`;
    this.add(this.shorten(`{${joined}}`));
  }

  private add(text: string): void {
    const holder = this.holders.at(-1);
    if (holder === undefined) this.made = text;
    else if (holder.members === undefined) holder.elements.push(text);
    else {
      const { name = '' } = holder;
      holder.name = undefined;
      if (this.holders.length > 1 || !this.options.leftOut.has(name)) holder.members.push({ name, text });
    }
  }

  /** A digest cannot be taken for a value or a name: none begins like it. */
  private shorten(text: string): string {
    if (!this.options.isShort || text.length <= LONG_LENGTH) return text;
    return `#${createHash('sha256').update(text, 'utf16le').digest('base64url')}`;
  }
}
