import { isHex, mendUnicode, type HalfUse } from './text-reader';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SMALL_U = 0x75;

/** Objects with more names than this, or with escapes in them, are few; each of them gets a set. */
const LISTED_MAX = 16;
/** Of a name, in an error message. */
const SHOWN_LENGTH_MAX = 64;
const NO_BYTES = Buffer.alloc(0);

/** What `read` returns in place of a position. */
export const TOO_LONG = -1;
export const DOUBLED = -2;

/** What holds for a name where it stands. */
export type NameRule = { readonly bytesMax: number; readonly isFree: boolean };

/** The names of the members of all objects that are open, each at its depth. Allocates nothing for an object with few names. */
export class NameBook {
  private bytes: Buffer = NO_BYTES;
  private readonly starts: Int32Array;
  private readonly ends: Int32Array;
  private readonly hashes: Int32Array;
  /** How many names are listed at a depth. */
  private readonly counts: Int32Array;
  private readonly lastStarts: Int32Array;
  private readonly lastEnds: Int32Array;
  /** All names of an object, where it has one. */
  private readonly sets: (Set<string> | undefined)[];

  constructor(
    depths: number,
    private readonly halves: HalfUse,
  ) {
    this.starts = new Int32Array(depths * LISTED_MAX);
    this.ends = new Int32Array(depths * LISTED_MAX);
    this.hashes = new Int32Array(depths * LISTED_MAX);
    this.counts = new Int32Array(depths);
    this.lastStarts = new Int32Array(depths);
    this.lastEnds = new Int32Array(depths);
    this.sets = new Array<Set<string> | undefined>(depths).fill(undefined);
  }

  start(bytes: Buffer): void {
    this.bytes = bytes;
    this.sets.fill(undefined);
  }

  open(depth: number): void {
    this.counts[depth] = 0;
    if (this.sets[depth] !== undefined) this.sets[depth] = undefined;
  }

  /** Reads the name behind the quote before `start`. Returns the position after its closing quote, TOO_LONG or DOUBLED. Free-form names may come twice. */
  read(depth: number, start: number, { bytesMax, isFree }: NameRule): number {
    const { bytes } = this;
    const last = Math.min(bytes.length, start + bytesMax + 1);
    let hash = 0;
    let isEscaped = false;
    let at = start;
    for (; at < last; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) {
        isEscaped = true;
        at += 1;
        if (this.halves === 'mended' && bytes[at] === SMALL_U && isHex(bytes, at + 1)) at += mendUnicode(bytes, at + 1) - 2;
      }
      hash = (hash * 31 + byte) | 0;
    }
    if (at >= last) return TOO_LONG;
    this.lastStarts[depth] = start;
    this.lastEnds[depth] = at;
    return !isFree && this.isKnown(depth, hash, isEscaped) ? DOUBLED : at + 1;
  }

  /** Whether the last name at a depth is `name`. */
  isLast(depth: number, name: Buffer): boolean {
    const start = this.lastStarts[depth] as number;
    const end = this.lastEnds[depth] as number;
    return end - start === name.length && this.bytes.compare(name, 0, name.length, start, end) === 0;
  }

  /** The last name at a depth. */
  readLast(depth: number): string {
    return decode(this.bytes, this.lastStarts[depth] as number, this.lastEnds[depth] as number);
  }

  /** The same, to be shown. */
  showLast(depth: number): string {
    return this.readLast(depth).slice(0, SHOWN_LENGTH_MAX);
  }

  private isKnown(depth: number, hash: number, isEscaped: boolean): boolean {
    const start = this.lastStarts[depth] as number;
    const end = this.lastEnds[depth] as number;
    const count = this.counts[depth] as number;
    const set = this.sets[depth] ?? (isEscaped || count === LISTED_MAX ? this.makeSet(depth) : undefined);
    if (set !== undefined) {
      const { size } = set;
      return set.add(decode(this.bytes, start, end)).size === size;
    }
    const first = depth * LISTED_MAX;
    for (let index = first; index < first + count; index += 1) {
      if (this.hashes[index] === hash && this.isSame(index, start, end)) return true;
    }
    this.starts[first + count] = start;
    this.ends[first + count] = end;
    this.hashes[first + count] = hash;
    this.counts[depth] = count + 1;
    return false;
  }

  private isSame(index: number, start: number, end: number): boolean {
    return this.bytes.compare(this.bytes, start, end, this.starts[index], this.ends[index]) === 0;
  }

  private makeSet(depth: number): Set<string> {
    const set = new Set<string>();
    const first = depth * LISTED_MAX;
    for (let index = first; index < first + (this.counts[depth] as number); index += 1) {
      set.add(decode(this.bytes, this.starts[index] as number, this.ends[index] as number));
    }
    this.sets[depth] = set;
    return set;
  }
}

/** What a name says: two that are written differently may be the same. */
function decode(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text; // no JSON: the parser refuses it
  }
}
