import type { ChatEvent } from '@weir/canonical';
import { FramePattern } from './frame-pattern';

type WordsType = 'text-delta' | 'reasoning-delta';
type WordsEvent = Extract<ChatEvent, { type: WordsType }>;

/** How the frames of a dialect that only add words to a block are known. */
export type PlainTextRules = {
  /** The members that hold the words. */
  readonly words: Readonly<Record<WordsType, string>>;
  /** Members whose values differ from frame to frame and mean nothing to us. */
  readonly varying?: readonly string[];
  /** What stands in frames that add words and something else, which their decoder keeps. */
  readonly more?: readonly string[];
};

/** So few characters are copied when they are cut out; more would keep the text that they are cut out of. */
const COPIED_MAX = 12;

/**
 * Reads frames that differ from the one before in words only, without parsing them: what that frame was decoded to, they
 * are decoded to with their own words. Their decoder is not asked, so the frame must have changed nothing in it.
 */
export class PlainTexts {
  private readonly patterns: Partial<Record<WordsType, FramePattern>> = {};
  private known: { readonly pattern: FramePattern; readonly event: WordsEvent; readonly place: number } | undefined;

  constructor(private readonly rules: PlainTextRules) {}

  /** A frame was decoded, to this event alone; undefined for anything else. `raw`: the frame, where it came in one piece. */
  learn(event: ChatEvent | undefined, raw: () => string | undefined): void {
    this.known = undefined;
    if (event === undefined || !isWords(event)) return;
    const frame = raw();
    // With an escape in it, a value may be the words without looking like them.
    if (frame === undefined || frame.includes('\\') || this.rules.more?.some((part) => frame.includes(part))) return;
    const pattern = (this.patterns[event.type] ??= new FramePattern([this.rules.words[event.type], ...(this.rules.varying ?? [])]));
    if (!pattern.learn(frame)) return;
    const place = findWords(pattern, frame, { member: this.rules.words[event.type], words: event.text });
    if (place !== -1) this.known = { pattern, event, place };
  }

  /** Where the frame at `start` ends, and its event; -1 when it has to be decoded. */
  take(text: string, start: number, add: (event: ChatEvent) => void): number {
    if (this.known === undefined) return -1;
    const { pattern, event, place } = this.known;
    const end = pattern.match(text, start);
    if (end === -1) return -1;
    const words = readWords(pattern, text, place);
    if (words === undefined || words === '') return -1;
    add({ type: event.type, choice: event.choice, block: event.block, text: words });
    return end;
  }
}

function isWords(event: ChatEvent): event is WordsEvent {
  return event.type === 'reasoning-delta' || (event.type === 'text-delta' && event.logprobs === undefined);
}

/** Which of the values is the words; -1 when that is in doubt. */
function findWords({ begins, ends }: FramePattern, frame: string, { member, words }: { member: string; words: string }): number {
  const places = begins.flatMap((begin, place) => (new RegExp(`"${member}": ?"$`).test(frame.slice(0, begin)) ? [place] : []));
  const [place] = places;
  if (place === undefined || places.length > 1) return -1;
  return frame.slice(begins[place], ends[place]) === words ? place : -1;
}

/** Undefined where what looks like an escape is none: the frame is no JSON. */
function readWords({ begins, ends, hasEscape }: FramePattern, text: string, place: number): string | undefined {
  const begin = begins[place] as number;
  const end = ends[place] as number;
  if (!hasEscape && end - begin <= COPIED_MAX) return text.slice(begin, end);
  try {
    const values = begins.map((from, other) => JSON.parse(`"${text.slice(from, ends[other])}"`) as string);
    return values[place];
  } catch {
    return undefined;
  }
}
