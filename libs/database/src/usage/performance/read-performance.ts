import type { PerformanceEntries, PerformanceResponse } from '@weir/contracts';
import {
  DAY_MS,
  HOUR_MS,
  listPeriods,
  periodCeiling,
  periodStart,
  type Resolution,
  type UsageQuery,
  tooLarge,
  type UsageRow,
} from '@weir/usage';
import type { PoolClient } from 'pg';
import { createCachedReader, type ReaderParts } from '../queries/create-cached-reader';
import { requestOf } from '../queries/dimension-sql';
import { isCanceled, querySums } from '../queries/query-sums';
import { buildTimesSql, type TimesRow } from './build-times-sql';
import { encodePerformance, listGreatestGroups, PERFORMANCE_COLUMNS } from './encode-performance';
import { LIMITS, planSlices, type SampleLimits, type Stretch } from './plan-slices';

type PerformanceReader = (query: UsageQuery) => Promise<PerformanceResponse>;

/** Of so many groups, those with most requests, times are worked out, and of so many by period. */
const GROUPS_TIMED_MAX = 1_000;
const GROUPS_TIMED_BY_PERIOD_MAX = 20;
/** Up to here a sample is spread by the hour. */
const HOURS_MAX_MS = 14 * DAY_MS;

/**
 * Errors and times of requests. Counts and means are sums of rollups, exact for any range and filter. What half and 95 of 100
 * requests took is no sum: it is worked out from the events, of all requests or of a sample of them.
 */
export function createPerformanceReader(parts: ReaderParts, limits: SampleLimits = LIMITS): PerformanceReader {
  const read = createCachedReader(parts, { countEntries, compute: (client, query) => compute(client, query, limits) });
  return async (query) => {
    const { result, ...counted } = await read(query);
    return { ...result, ...counted };
  };
}

type Performance = Omit<PerformanceResponse, 'as_of' | 'warnings'>;

async function compute(client: PoolClient, query: UsageQuery, limits: SampleLimits): Promise<() => Performance> {
  const sums = await querySums(client, query, { columns: PERFORMANCE_COLUMNS });
  const times = await readTimes(client, query, { sums, limits });
  return () => encodePerformance(query, sums, times);
}

type Reading = { readonly sums: readonly UsageRow[]; readonly limits: SampleLimits };

async function readTimes(client: PoolClient, query: UsageQuery, { sums, limits }: Reading): Promise<readonly TimesRow[]> {
  const slices = planSlices(await findStretches(client, query), limits);
  if (slices.length === 0) return [];
  const groups = query.groupBy.length === 0 ? [] : listGreatestGroups(sums, GROUPS_TIMED_MAX);
  const { text, values } = buildTimesSql(query, {
    requests: query.groupBy.map(requestOf),
    slices,
    groups,
    groupsByPeriod: groups.slice(0, GROUPS_TIMED_BY_PERIOD_MAX),
  });
  try {
    return (await client.query<TimesRow>(text, [...values])).rows;
  } catch (error) {
    throw isCanceled(error) ? tooLarge() : error;
  }
}

/** How requests are spread over the range, by the hour or day, from the smallest tables that say so. */
async function findStretches(client: PoolClient, query: UsageQuery): Promise<Stretch[]> {
  const resolution: Resolution = query.endMs - query.startMs <= HOURS_MAX_MS ? 'hour' : 'day';
  const { organizationId, startMs, endMs } = query;
  // Parts of hours would be read event by event; how many requests the whole hour had is near enough.
  const range = { startMs: periodStart('hour', startMs), endMs: periodCeiling('hour', endMs), resolution, groupBy: [] };
  const all = countByPeriod(await querySums(client, { organizationId, ...range }));
  const isAll = query.filters === undefined && query.reach === undefined && query.apiKeyId === undefined;
  const asked = isAll ? all : countByPeriod(await querySums(client, { ...query, ...range }));
  return [...all.keys()]
    .sort((a, b) => a - b)
    .map((atMs) => ({
      startMs: Math.max(atMs, startMs),
      endMs: Math.min(atMs + (resolution === 'hour' ? HOUR_MS : DAY_MS), endMs),
      all: all.get(atMs) ?? 0,
      asked: asked.get(atMs) ?? 0,
    }));
}

function countByPeriod(rows: readonly UsageRow[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const text of rows.flatMap(listPeriods)) {
    const [seconds, requests] = text.split(' ').map(Number);
    const atMs = (seconds ?? 0) * 1000;
    counts.set(atMs, (counts.get(atMs) ?? 0) + (requests ?? 0));
  }
  return counts;
}

function countEntries({ performance, total }: Performance): number {
  const count = ({ grouped_data: grouped }: PerformanceEntries): number => 1 + (grouped?.length ?? 0);
  return Object.values(performance).reduce((sum, entry) => sum + count(entry), count(total));
}
