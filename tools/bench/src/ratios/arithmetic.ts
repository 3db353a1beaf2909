/** The middle of several measurements, and between what they lay. */
export type Spread = { readonly median: number; readonly least: number; readonly most: number };

/** Null of none. Of an even number of values the median is the mean of the two in the middle. */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = [...values].sort((a, b) => a - b);
  const [least, most] = [sorted[0], sorted[sorted.length - 1]];
  if (least === undefined || most === undefined) return null;
  const upper = sorted[Math.floor(sorted.length / 2)] ?? most;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? least;
  return { median: (lower + upper) / 2, least, most };
}

/** How many times `base` a value is; null without either, or of nothing. */
export function ratioOf(value: number | null, base: number | null): number | null {
  return value === null || base === null || !(base > 0) ? null : value / base;
}

export function differenceOf(value: number | null, base: number | null): number | null {
  return value === null || base === null ? null : value - base;
}

/** What one more costs, by what few and many of them cost: all that each request costs anyway cancels out. */
export function slopeOf(few: number | null, many: number | null, apart: number): number | null {
  return few === null || many === null ? null : (many - few) / apart;
}
