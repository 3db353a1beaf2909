import { HOUR_MS, periodStart, type RollupIncrement } from '@weir/usage';
import type { PoolClient } from 'pg';
import { arrayLiteral } from '../../postgres/array-literal';

/** From here on until the transaction ends no one begins to build: what is stale remains so, and no more hours are watched. */
const LOCK_HOURS = { name: 'weir-lock-hours', text: 'LOCK TABLE ONLY usage_hour IN ROW EXCLUSIVE MODE' };

/**
 * A day that is stale already, as today always is, and of which no hour is watched that is changed, is looked at and not
 * locked. Looked up one by one, by the key.
 */
const MAKE_STALE = {
  name: 'weir-make-days-stale',
  text: `INSERT INTO usage_cube_day AS kept (org_id, day, state, watched_hours)
    SELECT org_id, to_timestamp(day_seconds), 'stale', first_hour FROM unnest($1::uuid[], $2::bigint[], $3::smallint[]) AS t(org_id, day_seconds, first_hour)
    WHERE (SELECT d.state = 'stale' AND d.watched_hours <= t.first_hour FROM usage_cube_day d
      WHERE d.org_id = t.org_id AND d.day = to_timestamp(t.day_seconds)) IS NOT TRUE
    ORDER BY 1, 2
    ON CONFLICT (org_id, day) DO UPDATE SET state = 'stale',
      watched_hours = least(kept.watched_hours, excluded.watched_hours), exact_hours = least(kept.exact_hours, excluded.watched_hours)
    WHERE kept.state <> 'stale' OR kept.watched_hours > excluded.watched_hours`,
};

type ChangedDay = { readonly organizationId: string; readonly startMs: number; firstHourMs: number };

/**
 * Takes days, and their hours from the first that is changed, out of the cubes before hours are changed, in the order of the
 * key. The triggers of `usage_hour` would do the same, yet once for hours that are new and once for hours that are added to:
 * two batches, each with its own of both, would take the same days in different orders and wait for each other.
 */
export async function makeDaysStale(client: PoolClient, hours: readonly RollupIncrement[]): Promise<void> {
  const days = listChangedDays(hours);
  await client.query(LOCK_HOURS);
  await client.query({
    ...MAKE_STALE,
    values: [
      arrayLiteral(days.map(({ organizationId }) => organizationId)),
      arrayLiteral(days.map(({ startMs }) => startMs / 1000)),
      arrayLiteral(days.map(({ startMs, firstHourMs }) => (firstHourMs - startMs) / HOUR_MS)),
    ],
  });
}

function listChangedDays(hours: readonly RollupIncrement[]): ChangedDay[] {
  const days = new Map<string, ChangedDay>();
  for (const { organizationId, periodStartMs } of hours) {
    const startMs = periodStart('day', periodStartMs);
    const key = `${organizationId} ${startMs}`;
    const day = days.get(key);
    if (day === undefined) days.set(key, { organizationId, startMs, firstHourMs: periodStartMs });
    else day.firstHourMs = Math.min(day.firstHourMs, periodStartMs);
  }
  return [...days.values()];
}
