/** Sums from the bottom up: the last series is the whole height. Drawn from the last to the first, each covers what is above it. */
export function stackSeries(series: readonly (readonly number[])[]): number[][] {
  const sums: number[][] = [];
  for (const values of series) {
    const below = sums.at(-1);
    sums.push(values.map((value, index) => value + (below?.[index] ?? 0)));
  }
  return sums;
}
