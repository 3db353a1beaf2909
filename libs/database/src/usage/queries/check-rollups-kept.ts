import { GatewayError } from '@weir/errors';
import { instantKey, periodCeiling, periodStart, type UsageQuery, type UsageSegment } from '@weir/usage';
import type { PoolClient } from 'pg';
import { readKeptSince } from '../partitions/read-partitions';

/** Days of a range before a moment: usage that hours no longer say. */
const FIND_DAY = {
  name: 'weir-find-day-without-hours',
  text: `SELECT extract(epoch FROM period_start)::bigint::text AS seconds FROM usage_day
    WHERE org_id = $1 AND period_start >= date_trunc('day', to_timestamp($2::bigint), 'UTC') AND period_start < to_timestamp($3::double precision)
    LIMIT 1`,
};

/**
 * Days are dropped by whole months; a month with usage and without a day is one of those. One row of each is looked up by
 * its key: what EXISTS says here, Postgres would find out by reading all days of the organization, and without the order the
 * months of all organizations.
 */
const FIND_MONTH = {
  name: 'weir-find-month-without-days',
  text: `SELECT start_seconds::text AS seconds FROM unnest($2::bigint[], $3::bigint[]) AS asked(start_seconds, end_seconds)
    WHERE (SELECT 1 FROM usage_month m WHERE m.org_id = $1 AND m.period_start = to_timestamp(start_seconds)
        ORDER BY m.series_id LIMIT 1) IS NOT NULL
      AND (SELECT 1 FROM usage_day d WHERE d.org_id = $1 AND d.period_start >= to_timestamp(start_seconds)
        AND d.period_start < to_timestamp(end_seconds) LIMIT 1) IS NULL
    LIMIT 1`,
};

type Found = { readonly seconds: string };

/** Throws `invalid_request` where a range was used in and the rollups that have it are dropped: never less than was used. */
export async function checkRollupsKept(client: PoolClient, query: UsageQuery, segments: readonly UsageSegment[]): Promise<void> {
  const hours = segments.filter(({ rollup }) => rollup === 'hour');
  const keptSinceMs = hours.length === 0 ? -Infinity : await readKeptSince(client, 'usage_hour');
  for (const segment of hours.filter(({ startMs }) => startMs < keptSinceMs)) {
    const untilMs = Math.min(segment.endMs, keptSinceMs);
    const { rows } = await client.query<Found>({ ...FIND_DAY, values: [query.organizationId, segment.startMs / 1000, untilMs / 1000] });
    if (rows.length > 0) throw refuse(query, `by the hour since ${instantKey(keptSinceMs)}`, 'day');
  }
  const monthMs = await findMonthWithoutDays(client, query.organizationId, listMonths(segments.filter(({ rollup }) => rollup !== 'month')));
  if (monthMs !== undefined) throw refuse(query, `of ${instantKey(monthMs).slice(0, 7)} by the month only`, 'month');
}

/** The start of a month, of those whose starts are given, that was used in and of which no day is kept any more. */
export async function findMonthWithoutDays(
  client: PoolClient,
  organizationId: string,
  months: readonly number[],
): Promise<number | undefined> {
  if (months.length === 0) return undefined;
  const ends = months.map((startMs) => periodCeiling('month', startMs + 1) / 1000);
  const { rows } = await client.query<Found>({
    ...FIND_MONTH,
    values: [organizationId, months.map((startMs) => startMs / 1000), ends],
  });
  return rows[0] === undefined ? undefined : Number(rows[0].seconds) * 1000;
}

/** The starts of the months that segments touch. */
function listMonths(segments: readonly UsageSegment[]): number[] {
  const months = new Set<number>();
  for (const { startMs, endMs } of segments) {
    for (let at = periodStart('month', startMs); at < endMs; at = periodCeiling('month', at + 1)) months.add(at);
  }
  return [...months];
}

function refuse({ resolution }: UsageQuery, what: string, coarser: 'day' | 'month'): GatewayError {
  const bounds = coarser === 'day' ? 'at midnight UTC' : 'on the first of a month';
  const isResolution = resolution === 'hour' || (resolution === 'day' && coarser === 'month');
  return new GatewayError(
    'invalid_request',
    `Usage is kept ${what}: ask with \`resolution=${coarser}\` or a coarser one and with \`start\` and \`end\` ${bounds}.`,
    { field: isResolution ? 'resolution' : 'start' },
  );
}
