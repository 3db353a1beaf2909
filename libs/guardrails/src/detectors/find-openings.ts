/** Finds the few places at which a closer look is worth its time: where one of some texts begins, and not inside a word. */
export function createOpening(openings: readonly string[], flags: 'g' | 'gi'): RegExp {
  return new RegExp(`\\b(?:${openings.map((opening) => opening.replace('.', '\\.')).join('|')})`, flags);
}

/** `pattern` has the flag `g`. */
export function findPlaces(text: string, from: number, { pattern, visit }: { pattern: RegExp; visit: (start: number) => void }): void {
  pattern.lastIndex = from;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    visit(found.index);
    pattern.lastIndex = found.index + 1;
  }
}

const DIGITS = /\d+/g;

/** Visits every run of digits: where it begins and ends. */
export function findDigits(text: string, from: number, visit: (start: number, end: number) => void): void {
  DIGITS.lastIndex = from;
  for (let found = DIGITS.exec(text); found !== null; found = DIGITS.exec(text)) {
    const start = found.index;
    const end = start + found[0].length;
    if (start > from || !/\d/.test(text[start - 1] ?? '')) visit(start, end);
    DIGITS.lastIndex = end;
  }
}
