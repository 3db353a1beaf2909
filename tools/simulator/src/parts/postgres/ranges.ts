import type { Ranges } from './tables';

/** The text of an int8multirange, as Postgres writes and reads it. */
export function formatRanges(ranges: Ranges): string {
  return `{${ranges.map(([from, to]) => `[${from},${to})`).join(',')}}`;
}

export function parseRanges(text: string): Ranges {
  return [...text.matchAll(/\[(-?\d+),(-?\d+)\)/g)].map(([, from = '0', to = '0']) => [BigInt(from), BigInt(to)] as const);
}

/** The union, ordered and apart. */
export function unite(one: Ranges, other: Ranges): Ranges {
  const ordered = [...one, ...other].sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
  const united: [bigint, bigint][] = [];
  for (const [from, to] of ordered) {
    const last = united.at(-1);
    if (last === undefined || from > last[1]) united.push([from, to]);
    else if (to > last[1]) last[1] = to;
  }
  return united;
}
