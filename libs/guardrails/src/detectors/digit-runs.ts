import { isDigit } from './characters';

/**
 * Runs of digits of a text, in order: the beginning of each, then its end. Some that are nowhere near the text follow the
 * last, so that a detector that looks at a run can look at those after it.
 */
export type DigitRuns = { readonly bounds: Int32Array; readonly count: number };

const ANY_DIGIT = /\d/g;
/** After so many other characters a pattern gets to the next digit sooner than looking at each does. */
const FAR = 4;
const BOUNDS_MIN = 256;
/** An array larger than this is not kept for the next text. */
const BOUNDS_KEPT = 65_536;
/** Two numbers for each of the three runs after the last. */
const PADDING = 6;
const NOWHERE = 2 ** 30;

/**
 * Finds every run of digits that begins at a place or later. The result is valid until the next call: that one
 * writes into the same array.
 */
export function createDigitRunFinder(): (text: string, from: number) => DigitRuns {
  let bounds = new Int32Array(BOUNDS_MIN);
  return (text, from) => {
    if (bounds.length > BOUNDS_KEPT) bounds = new Int32Array(BOUNDS_MIN);
    const isInside = isDigit(text.charCodeAt(from - 1));
    let used = 0;
    for (let at = findDigit(text, isInside ? endOfDigits(text, from) : from); at < text.length; at = findDigit(text, at)) {
      if (used + 2 + PADDING > bounds.length) bounds = doubled(bounds);
      bounds[used] = at;
      at = endOfDigits(text, at + 1);
      bounds[used + 1] = at;
      used += 2;
    }
    bounds.fill(NOWHERE, used, used + PADDING);
    return { bounds, count: used / 2 };
  };
}

export function startOf({ bounds }: DigitRuns, index: number): number {
  return bounds[2 * index] ?? NOWHERE;
}

export function endOf({ bounds }: DigitRuns, index: number): number {
  return bounds[2 * index + 1] ?? NOWHERE;
}

/** How many digits a run has. */
export function lengthOf(runs: DigitRuns, index: number): number {
  return endOf(runs, index) - startOf(runs, index);
}

/** How many characters stand between a run and the one after it. */
export function gapAfter(runs: DigitRuns, index: number): number {
  return startOf(runs, index + 1) - endOf(runs, index);
}

function endOfDigits(text: string, from: number): number {
  let end = from;
  while (end < text.length && isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

/** Where the next digit stands; the text's length when there is none. */
function findDigit(text: string, from: number): number {
  const near = Math.min(text.length, from + FAR);
  let at = from;
  while (at < near && !isDigit(text.charCodeAt(at))) at += 1;
  if (at < near || at === text.length) return at;
  ANY_DIGIT.lastIndex = at;
  return ANY_DIGIT.test(text) ? ANY_DIGIT.lastIndex - 1 : text.length;
}

function doubled(bounds: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(bounds.length * 2);
  larger.set(bounds);
  return larger;
}
