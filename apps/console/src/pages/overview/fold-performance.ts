import type { Schemas } from '../../api';
import type { Timing } from './overview-search';

export type Performance = Schemas['Performance'];
export type TimingEntry = Omit<Schemas['PerformanceEntry'], 'grouped_data'>;

export type TimingRow = { readonly value: string; readonly entry: TimingEntry };

/** The figure of an entry: a count, or milliseconds; null where there is none. */
export function readTiming({ errors, milliseconds, first_byte_milliseconds: firstByte }: TimingEntry, timing: Timing): number | null {
  switch (timing) {
    case 'errors':
      return errors;
    case 'p50':
    case 'p95':
      return milliseconds[timing];
    case 'first_byte':
      return firstByte.p50;
  }
}

/** One row for each value of the dimension: those with most errors or the slowest first, those without a time last. */
export function listTimingRows({ total }: Performance, dimension: string, timing: Timing): TimingRow[] {
  const rows = (total.grouped_data ?? []).map((entry) => ({ value: entry.group_by_values[dimension] ?? '', entry }));
  const place = ({ entry }: TimingRow): number => readTiming(entry, timing) ?? -1;
  // Equal ones stay in the order of the interface: by requests.
  return rows.sort((a, b) => place(b) - place(a));
}

/** The figure of each period: of one value, or without one of all. */
export function listTimings(
  { performance }: Performance,
  periods: readonly Date[],
  pick: { timing: Timing; dimension?: string; value?: string },
): (number | null)[] {
  const byPeriod = new Map(Object.entries(performance).map(([start, entry]) => [Date.parse(start), entry]));
  return periods.map((period) => {
    const entry = byPeriod.get(period.getTime());
    const { dimension, value, timing } = pick;
    const own =
      dimension === undefined ? entry : (entry?.grouped_data ?? []).find(({ group_by_values: values }) => values[dimension] === value);
    if (own !== undefined) return readTiming(own, timing);
    return timing === 'errors' ? 0 : null;
  });
}

/** By which part a time changed, rounded to a tenth of a thousandth; null where there was nothing before. */
export function findTimeChange(now: number | null, before: number | null): number | null {
  return now === null || before === null || before === 0 ? null : Math.round(((now - before) / before) * 10_000) / 10_000;
}
