const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SMALL_U = 0x75;
const SPACE = 0x20;
const EIGHT = 0x38;
const SMALL_C = 0x63;
const SMALL_D = 0x64;

/** What becomes of halves of surrogate pairs: the bytes themselves are mended. */
export type HalfUse = 'kept' | 'mended';

const NO_BYTES = Buffer.alloc(0);
const NO_WORDS = new DataView(new ArrayBuffer(0));
/** So much of a text is looked at for all that may end it at once; of what is longer, each is looked for by itself. */
const SHORT_BYTES = 512;
/** The letters that may follow a backslash. */
const ESCAPES = new Uint8Array(256);
for (const letter of '"\\/bfnrt') ESCAPES[letter.charCodeAt(0)] = 1;
const HEX = new Uint8Array(256);
for (const digit of '0123456789abcdefABCDEF') HEX[digit.charCodeAt(0)] = 1;

/**
 * Looks for the ends of strings in the bytes of a JSON text, four bytes at a time, and sees meanwhile whether the parser will take
 * what is in them. The bytes are UTF-8: those beyond ASCII mean nothing here.
 */
export class TextReader {
  /** Of what was read since this was last set: it has no control character, and no escape that JSON does not know. */
  isSound = true;

  private bytes: Buffer = NO_BYTES;
  private words: DataView = NO_WORDS;
  /** The first quote and the first backslash at or behind where they were last looked for from. */
  private quote = 0;
  private backslash = 0;

  constructor(private readonly halves: HalfUse = 'kept') {}

  /** Begins with another text. */
  start(bytes: Buffer): void {
    this.bytes = bytes;
    this.words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.quote = this.backslash = 0;
    this.isSound = true;
  }

  /** Goes on in a string from `from`. Returns the position of the quote that ends it; at or beyond `until` where none was found before. */
  findEnd(from: number, until: number): number {
    const { bytes } = this;
    let at = this.skipPlain(from, until);
    while (at < until) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at += this.readEscape(at + 1);
      else {
        if (byte < SPACE) this.isSound = false;
        at += 1;
      }
      at = this.skipPlain(at, until);
    }
    return at;
  }

  /** The position of the first quote, backslash or control character from `from` on; or of the last few bytes. */
  private skipPlain(from: number, until: number): number {
    const shortEnd = from + SHORT_BYTES;
    if (shortEnd >= until) return this.skipShort(from, until);
    const at = this.skipShort(from, shortEnd);
    return at + 4 <= shortEnd ? at : this.skipLong(at, until);
  }

  /** The engine's own search for a byte takes a tenth of the time, but there is none for control characters. */
  private skipLong(from: number, until: number): number {
    const { bytes, words } = this;
    if (this.quote < from) this.quote = findByte(bytes, QUOTE, from);
    if (this.backslash < from) this.backslash = findByte(bytes, BACKSLASH, from);
    const end = Math.min(this.quote, this.backslash, until);
    let at = from;
    for (; at + 32 <= end; at += 32) {
      const first = markControls(words.getInt32(at, true)) | markControls(words.getInt32(at + 4, true));
      const second = markControls(words.getInt32(at + 8, true)) | markControls(words.getInt32(at + 12, true));
      const third = markControls(words.getInt32(at + 16, true)) | markControls(words.getInt32(at + 20, true));
      const fourth = markControls(words.getInt32(at + 24, true)) | markControls(words.getInt32(at + 28, true));
      if (((first | second | third | fourth) & 0x80808080) !== 0) break;
    }
    while (at < end && (bytes[at] as number) >= SPACE) at += 1;
    return at;
  }

  private skipShort(from: number, until: number): number {
    const { words } = this;
    let at = from;
    for (; at + 16 <= until; at += 16) {
      const first = markEnds(words.getInt32(at, true)) | markEnds(words.getInt32(at + 4, true));
      const second = markEnds(words.getInt32(at + 8, true)) | markEnds(words.getInt32(at + 12, true));
      if (((first | second) & 0x80808080) !== 0) break;
    }
    for (; at + 4 <= until; at += 4) {
      const marks = markEnds(words.getInt32(at, true)) & 0x80808080;
      if (marks !== 0) return at + ((31 - Math.clz32(marks & -marks)) >> 3);
    }
    return at;
  }

  /** How long the escape is whose letter is at `at`. */
  private readEscape(at: number): number {
    const { bytes } = this;
    const letter = bytes[at] as number;
    if (ESCAPES[letter] === 1) return 2;
    if (letter === SMALL_U && isHex(bytes, at + 1)) return this.halves === 'kept' ? 6 : mendUnicode(bytes, at + 1);
    this.isSound = false;
    return 2;
  }
}

/**
 * The length of the escape whose four digits are at `at`, or of two that are a pair of surrogates. Half of a pair is no character, and
 * providers refuse it, or something worse: in its place is written, as long, the one that stands for what is none.
 */
export function mendUnicode(bytes: Buffer, at: number): number {
  const half = halfAt(bytes, at);
  if (half === 0) return 6;
  const isPair = half === 1 && bytes[at + 4] === BACKSLASH && bytes[at + 5] === SMALL_U && halfAt(bytes, at + 6) === 2;
  if (isPair && isHex(bytes, at + 6)) return 12;
  REPLACEMENT.copy(bytes, at);
  return 6;
}

const REPLACEMENT = Buffer.from('fffd');

/** Which half of a pair the digits at `at` are: the first, the second, or none (0). */
function halfAt(bytes: Buffer, at: number): 0 | 1 | 2 {
  // A small letter and a capital differ in one bit, which digits have.
  if (((bytes[at] as number) | 0x20) !== SMALL_D) return 0;
  const next = (bytes[at + 1] as number) | 0x20;
  if (next >= SMALL_C) return 2;
  return next >= EIGHT ? 1 : 0;
}

/**
 * Sets the highest bit of each byte that is a quote, a backslash or a control character; of those behind the first one perhaps for
 * nothing. Once a bit is turned, control characters and the quote are what is below 0x21, and backslashes become 0.
 */
function markEnds(word: number): number {
  const turned = word ^ 0x02020202;
  const others = word ^ 0x5c5c5c5c;
  return ((turned - 0x21212121) & ~turned) | ((others - 0x01010101) & ~others);
}

/** Sets the highest bit of each byte that is a control character; of those behind the first one perhaps for nothing. */
function markControls(word: number): number {
  return (word - 0x20202020) & ~word;
}

function findByte(bytes: Buffer, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at === -1 ? bytes.length : at;
}

export function isHex(bytes: Buffer, from: number): boolean {
  for (let at = from; at < from + 4; at += 1) if (HEX[bytes[at] as number] !== 1) return false;
  return true;
}
