/** Half-open, as Postgres writes int8 ranges: `from` is in, `to` is not. */
export type SequenceRange = { readonly from: bigint; readonly to: bigint };

/** Reads the canonical text of an int8multirange: `{[0,120),[125,130)}`. */
export function parseRanges(text: string): SequenceRange[] {
  const ranges: SequenceRange[] = [];
  for (const [, from, to] of text.matchAll(/\[(-?\d+),(-?\d+)\)/g)) {
    if (from !== undefined && to !== undefined) ranges.push({ from: BigInt(from), to: BigInt(to) });
  }
  return ranges;
}

export function formatRanges(ranges: readonly SequenceRange[]): string {
  return `{${ranges.map(({ from, to }) => `[${from},${to})`).join(',')}}`;
}

/** Whether one of the ranges, which are ordered and apart, holds the sequence. */
export function includesSequence(ranges: readonly SequenceRange[], sequence: bigint): boolean {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range === undefined) return false;
    if (sequence < range.from) high = middle - 1;
    else if (sequence >= range.to) low = middle + 1;
    else return true;
  }
  return false;
}

/** The fewest ranges that hold exactly these sequences. */
export function toRanges(sequences: Iterable<bigint>): SequenceRange[] {
  const ordered = [...sequences].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const ranges: { from: bigint; to: bigint }[] = [];
  for (const sequence of ordered) {
    const last = ranges.at(-1);
    if (last === undefined || sequence > last.to) ranges.push({ from: sequence, to: sequence + 1n });
    else if (sequence === last.to) last.to = sequence + 1n;
  }
  return ranges;
}

/** The highest sequence below which nothing is missing; undefined while 0 is. */
export function contiguousWatermark(ranges: readonly SequenceRange[]): bigint | undefined {
  const first = ranges[0];
  return first?.from === 0n ? first.to - 1n : undefined;
}
