import type { GroupedPerformanceEntry, PerformanceEntries, PerformanceEntry, PerformanceResponse, PerformanceTimes } from '@weir/contracts';
import { periodKey, type UsageQuery, createValuesReader, listPeriods, type UsageRow } from '@weir/usage';
import type { TimesRow } from './build-times-sql';

/** What is added up, in the order in which it is read. */
export const PERFORMANCE_COLUMNS = ['requests', 'attempts', 'errors', 'duration_ms', 'ttft_ms', 'ttft_count'] as const;

type Sums = Record<(typeof PERFORMANCE_COLUMNS)[number], number>;
type Totals = { readonly sums: Sums; readonly groups: Map<string, Sums> };

type Performance = Omit<PerformanceResponse, 'as_of' | 'warnings'>;

/** Groups by their values as JSON, those with most requests first. */
export function listGreatestGroups(rows: readonly UsageRow[], max: number): string[] {
  const all = addUp(rows).all.groups;
  return [...all]
    .sort(compareGroups)
    .slice(0, max)
    .map(([group]) => group);
}

/** Periods in order of time, groups by requests; a period without usage is not listed. */
export function encodePerformance(query: UsageQuery, rows: readonly UsageRow[], times: readonly TimesRow[]): Performance {
  const { all, periods } = addUp(rows);
  const timesOf = new Map(times.map((row) => [nameTimes(row.seconds, row.groups), row]));
  const valuesOf = createValuesReader(query.groupBy);
  const encode = (seconds: string | null, { sums, groups }: Totals): PerformanceEntries => {
    const entry = encodeEntry(sums, timesOf.get(nameTimes(seconds, null)));
    if (query.groupBy.length === 0) return entry;
    const grouped = [...groups].sort(compareGroups).map(([group, own]): GroupedPerformanceEntry => ({
      ...encodeEntry(own, timesOf.get(nameTimes(seconds, group))),
      group_by_values: valuesOf(group),
    }));
    return { ...entry, grouped_data: grouped };
  };
  const looked = Number(timesOf.get(nameTimes(null, null))?.requests ?? 0);
  const ordered = [...periods].sort(([a], [b]) => Number(a) - Number(b));
  return {
    performance: Object.fromEntries(ordered.map(([seconds, period]) => [periodKey(Number(seconds) * 1000), encode(seconds, period)])),
    total: encode(null, all),
    is_sampled: looked !== all.sums.requests,
    sample: { requests: looked, of: all.sums.requests },
  };
}

function nameTimes(seconds: string | null, groups: string | null): string {
  return `${seconds ?? ''} ${groups ?? ''}`;
}

function compareGroups([aKey, a]: readonly [string, Sums], [bKey, b]: readonly [string, Sums]): number {
  return b.requests - a.requests || b.attempts - a.attempts || (aKey < bKey ? -1 : 1);
}

function addUp(rows: readonly UsageRow[]): { readonly all: Totals; readonly periods: ReadonlyMap<string, Totals> } {
  const all = noTotals();
  const periods = new Map<string, Totals>();
  for (const [groups, text] of listGroups(rows)) {
    const [seconds = '', ...rest] = text.split(' ');
    const numbers = rest.map(Number);
    let period = periods.get(seconds);
    if (period === undefined) periods.set(seconds, (period = noTotals()));
    for (const totals of [all, period]) {
      addTo(totals.sums, numbers);
      let group = totals.groups.get(groups);
      if (group === undefined) totals.groups.set(groups, (group = noSums()));
      addTo(group, numbers);
    }
  }
  return { all, periods };
}

function listGroups(rows: readonly UsageRow[]): (readonly [groups: string, sums: string])[] {
  return rows.flatMap((row) => listPeriods(row).map((text) => [row.groups, text] as const));
}

function noTotals(): Totals {
  return { sums: noSums(), groups: new Map() };
}

function noSums(): Sums {
  return { requests: 0, attempts: 0, errors: 0, duration_ms: 0, ttft_ms: 0, ttft_count: 0 };
}

function addTo(sums: Sums, numbers: readonly number[]): void {
  for (const [at, column] of PERFORMANCE_COLUMNS.entries()) sums[column] += numbers[at] ?? 0;
}

/**
 * Every attempt before the last one of a request failed, or there would have been no other: what failed beyond those ended a
 * request. So errors of requests follow from sums of attempts, for any filter.
 */
function encodeEntry(sums: Sums, times: TimesRow | undefined): PerformanceEntry {
  const { requests, attempts } = sums;
  const errors = sums.errors - (attempts - requests);
  return {
    requests,
    errors,
    error_share: requests === 0 ? null : Math.round((errors / requests) * 1e6) / 1e6,
    attempts,
    attempt_errors: sums.errors,
    milliseconds: encodeTimes(sums.duration_ms, attempts, times?.ms),
    first_byte_milliseconds: encodeTimes(sums.ttft_ms, sums.ttft_count, times?.first_ms),
  };
}

function encodeTimes(sum: number, count: number, percentiles: TimesRow['ms'] | undefined): PerformanceTimes {
  const [p50 = null, p95 = null] = (percentiles ?? []).map((text) => (text === null ? null : Number(text)));
  return { mean: count === 0 ? null : Math.round((sum / count) * 1000) / 1000, p50, p95 };
}
