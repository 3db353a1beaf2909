import type { Report } from './detector';

type Shape = {
  /** What a candidate looks like. Bounded, so that it takes linear time. */
  readonly pattern: RegExp;
  /** Returns where the match that begins here ends; undefined for a candidate that is none. */
  readonly verify: (text: string, start: number, end: number) => number | undefined;
};

export type Run = {
  /** Characters that a match may consist of. */
  readonly isPart: (code: number) => boolean;
  /** Characters that a match may begin with. */
  readonly isStart: (code: number) => boolean;
  /** More than the length of the longest match. */
  readonly reach: number;
};

/** Every start is judged alone, so that a candidate which is none hides no other. The pattern has the flag `g`. */
export function findShape(text: string, from: number, shape: Shape & { readonly report: Report }): void {
  const { pattern, verify, report } = shape;
  pattern.lastIndex = from;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const end = verify(text, found.index, found.index + found[0].length);
    if (end !== undefined) report(found.index, end);
    pattern.lastIndex = found.index + 1;
  }
}

/** Judges one start. The pattern is sticky. */
export function findShapeAt(text: string, start: number, shape: Shape & { readonly report: Report }): void {
  const { pattern, verify, report } = shape;
  pattern.lastIndex = start;
  const end = pattern.test(text) ? verify(text, start, pattern.lastIndex) : undefined;
  if (end !== undefined) report(start, end);
}

/** Where the characters at the end of a text may be the beginning of a match. */
export function findOpenRun(text: string, from: number, { isPart, isStart, reach }: Run): number {
  const least = Math.max(from, text.length - reach);
  let start = text.length;
  while (start > least && isPart(text.charCodeAt(start - 1))) start -= 1;
  while (start < text.length && !isStart(text.charCodeAt(start))) start += 1;
  return start;
}
