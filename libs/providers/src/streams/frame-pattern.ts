const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;

/** So many patterns in a row that fitted nothing show that the frames of a stream are all different. */
const USELESS_MAX = 8;

/**
 * Knows frames that are like an earlier one in all but the values of a few members: the frames of a stream repeat
 * themselves around a word of text, and comparing is cheaper than reading. A value is a string without a control character
 * or a whole number. Works on text in which a character stands for a character (UTF-8) or for a byte (latin1).
 */
export class FramePattern {
  /** What stands before the first value, between the values, and behind the last; empty when nothing is known. */
  private fixed: string[] = [];
  /** Where each value began in the example, or the frame that fitted last, and where it ended. */
  begins: number[] = [];
  ends: number[] = [];
  /** Whether a value of the frame that fitted last has an escape. */
  hasEscape = false;
  private useless = 0;
  private readonly members: RegExp;

  constructor(members: readonly string[]) {
    this.members = matchMembers(members.join('|'));
  }

  /** Takes a frame for the example of those that follow. Returns false when it is none: nothing of it could differ. */
  learn(example: string): boolean {
    this.fixed = [];
    if (this.useless >= USELESS_MAX) return false;
    this.useless += 1;
    // A copy: pieces of the example would keep all the text that it is a piece of.
    const frame = Buffer.from(example).toString();
    const fixed: string[] = [];
    this.begins = [];
    this.ends = [];
    let from = 0;
    const { members } = this;
    members.lastIndex = 0;
    for (let found = members.exec(frame); found !== null; found = members.exec(frame)) {
      const begin = found.index + found[0].length;
      // The text of a value may look like a member.
      if (found.index < from) return false;
      const end = this.endOfValue(frame, begin);
      if (end === -1) return false;
      fixed.push(frame.slice(from, begin));
      this.begins.push(begin);
      this.ends.push(end);
      from = end;
    }
    if (fixed.length === 0) return false;
    fixed.push(frame.slice(from));
    this.fixed = fixed;
    return true;
  }

  /** What stands behind the last value. */
  tail(): string {
    return this.fixed.at(-1) ?? '';
  }

  forget(): void {
    this.fixed = [];
  }

  /** Returns where the frame that begins at `start` ends; -1 when it is not like the example. */
  match(text: string, start: number): number {
    const { fixed } = this;
    if (fixed.length === 0) return -1;
    const last = fixed.length - 1;
    let position = start;
    this.hasEscape = false;
    for (let place = 0; place < last; place += 1) {
      position = endOf(text, position, fixed[place] as string);
      if (position === -1) return -1;
      this.begins[place] = position;
      position = this.endOfValue(text, position);
      if (position === -1) return -1;
      this.ends[place] = position;
    }
    position = endOf(text, position, fixed[last] as string);
    if (position !== -1) this.useless = 0;
    return position;
  }

  /** The end of the value at `begin`: where its closing quote stands, or behind its last digit. -1 for what is no value. */
  private endOfValue(text: string, begin: number): number {
    if (text.charCodeAt(begin - 1) !== QUOTE) return endOfDigits(text, begin);
    let position = begin;
    for (; position < text.length; position += 1) {
      const code = text.charCodeAt(position);
      if (code === QUOTE) return position;
      if (code < SPACE) return -1;
      if (code === BACKSLASH) {
        this.hasEscape = true;
        position += 1;
      }
    }
    return -1;
  }
}

/** By the names of the members: each kind of stream has its own. To make one takes as long as to compare fifty frames. */
const known = new Map<string, RegExp>();

/** Finds where values of these members begin. */
function matchMembers(names: string): RegExp {
  let members = known.get(names);
  if (members === undefined) known.set(names, (members = new RegExp(`"(?:${names})": ?(?:"|(?=\\d))`, 'g')));
  return members;
}

/** Where `part` ends when it stands at `start`; otherwise -1. */
function endOf(text: string, start: number, part: string): number {
  const end = start + part.length;
  return text.slice(start, end) === part ? end : -1;
}

function endOfDigits(text: string, begin: number): number {
  let position = begin;
  while (isDigit(text.charCodeAt(position))) position += 1;
  const isNumber = position > begin && (position === begin + 1 || text.charCodeAt(begin) !== ZERO);
  return isNumber ? position : -1;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}
