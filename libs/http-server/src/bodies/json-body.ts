import { placeLongText, readName, type MemberSpan, type OriginalBody } from '@weir/canonical';
import type { ScannedText } from '../json/check-json';
import type { LongText } from '../json/scan-json';

/** Stands in place of a long text. */
const CUT = '-';
const SPACE = 0x20;

/** The text without what is in its long texts. */
export function readOutline({ bytes, longTexts }: ScannedText): string {
  let outline = '';
  let from = 0;
  for (const { start, end } of longTexts) {
    outline += bytes.toString('utf8', from, start) + CUT;
    from = end;
  }
  return outline + bytes.toString('utf8', from);
}

/**
 * The JSON object in a request body. Its long texts stay bytes unless they are asked for: most requests only pass them on, and for
 * these no text is made of most of the body, nor written as bytes again.
 */
export class JsonBody implements OriginalBody {
  readonly bytes: Buffer;
  readonly outline: string;
  readonly words: number;
  /** The value of the body; it may be no object. */
  readonly json: Record<string, unknown>;

  private readonly places: readonly number[];
  private whole: string | undefined;
  private spans: readonly MemberSpan[] | undefined;

  /** Throws what the parser throws at a text that is no JSON. */
  constructor({ bytes, members, longTexts, words }: ScannedText, outline: string) {
    this.bytes = bytes;
    this.places = members;
    this.outline = outline;
    this.words = words;
    if (longTexts.length === 0) this.whole = outline;
    this.json = this.parse();
    for (const text of longTexts) this.place(text);
  }

  get original(): OriginalBody {
    return this;
  }

  get text(): string {
    return (this.whole ??= this.bytes.toString('utf8'));
  }

  get members(): readonly MemberSpan[] {
    return (this.spans ??= readSpans(this, this.places));
  }

  private parse(): Record<string, unknown> {
    try {
      return JSON.parse(this.outline) as Record<string, unknown>;
    } catch {
      // What is wrong with the outline is wrong with the text, at another place.
      return JSON.parse(this.text) as Record<string, unknown>;
    }
  }

  private place({ start, end, path }: LongText): void {
    const { bytes, json } = this;
    placeLongText(json, { path, read: () => JSON.parse(bytes.toString('utf8', start - 1, end + 1)) as string });
  }
}

/** `places`: see JsonScan. */
function readSpans({ bytes, outline }: JsonBody, places: readonly number[]): MemberSpan[] {
  // Where all is ASCII and nothing was cut, a place in the bytes is the same place in the text, and cutting that is cheaper.
  const isSame = outline.length === bytes.length;
  const spans: MemberSpan[] = [];
  for (let index = 0; index + 2 < places.length; index += 3) {
    const start = places[index] as number;
    const nameEnd = places[index + 1] as number;
    const name = readName(isSame ? outline.slice(start, nameEnd) : bytes.toString('utf8', start, nameEnd));
    let valueEnd = places[index + 2] as number;
    while (isSpace(bytes, valueEnd - 1)) valueEnd -= 1;
    spans.push({ name, start, valueStart: skipSpace(bytes, skipSpace(bytes, nameEnd) + 1), valueEnd });
  }
  return spans;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes, at)) at += 1;
  return at;
}

function isSpace(bytes: Buffer, at: number): boolean {
  return (bytes[at] as number) <= SPACE;
}
