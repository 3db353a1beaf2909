/** Finds the few places at which a closer look is worth its time: where one of some texts begins, and not inside a word. */
export function createOpening(openings: readonly string[], flags: 'g' | 'gi'): RegExp {
  return new RegExp(`\\b(?:${openings.map((opening) => opening.replace('.', '\\.')).join('|')})`, flags);
}

/** `pattern` has the flag `g`. */
export function findPlaces(text: string, from: number, pattern: RegExp, visit: (start: number) => void): void {
  pattern.lastIndex = from;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    visit(found.index);
    pattern.lastIndex = found.index + 1;
  }
}
