import { parseUsd } from '@weir/pricing';
import { encodeMeasure, isMoney, type SummedColumns, type UsageColumn } from '@weir/usage';

/** Adds up columns of the rows that go through it, exactly. */
export type Tally = {
  count(pages: AsyncIterable<readonly string[][]>): AsyncGenerator<readonly string[][]>;
  /** Of what has gone through: how many rows, and the sums by column as exact decimal text. */
  read(): { readonly rows: number; readonly sums: Readonly<Record<string, string>> };
};

export function createTally(columns: readonly Pick<UsageColumn, 'name'>[], summed: SummedColumns): Tally {
  const places = columns.flatMap(({ name }, at) => {
    const measure = summed[name];
    return measure === undefined ? [] : [{ name, at, measure, parse: isMoney(measure) ? parseUsd : BigInt }];
  });
  const sums = places.map(() => 0n);
  let count = 0;
  return {
    count: async function* (pages) {
      for await (const rows of pages) {
        for (const row of rows) {
          for (const [place, { at, parse }] of places.entries()) sums[place] = (sums[place] ?? 0n) + parse(row[at] ?? '0');
        }
        count += rows.length;
        yield rows;
      }
    },
    read: () => ({
      rows: count,
      sums: Object.fromEntries(places.map(({ name, measure }, place) => [name, encodeMeasure(measure, sums[place] ?? 0n)])),
    }),
  };
}
