const HOUR_MS = 3_600_000;
/** Zones differ from UTC by whole quarters of an hour: one has the same date all through. */
const QUARTER_MS = HOUR_MS / 4;

/** Dates of a time zone, as `2026-11-24`. */
export type Dates = {
  dateOf(atMs: number): string;
  /** Every date between two moments, both included. */
  list(startMs: number, endMs: number): readonly string[];
};

export function createDates(timeZone: string): Dates {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  let known = { quarter: NaN, date: '' };
  const dateOf = (atMs: number): string => {
    const quarter = Math.floor(atMs / QUARTER_MS);
    if (known.quarter !== quarter) known = { quarter, date: format.format(quarter * QUARTER_MS) };
    return known.date;
  };
  return {
    dateOf,
    list: (startMs, endMs) => {
      const dates = new Set<string>();
      for (let atMs = startMs; atMs < endMs; atMs += HOUR_MS) dates.add(dateOf(atMs));
      return [...dates.add(dateOf(endMs))];
    },
  };
}
