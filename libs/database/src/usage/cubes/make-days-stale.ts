import type { RollupIncrement } from '@weir/usage';
import type { PoolClient } from 'pg';
import { arrayLiteral } from '../array-literal';

/** From here on until the transaction ends nobody begins to build a day: what is stale remains so. */
const LOCK_HOURS = { name: 'weir-lock-hours', text: 'LOCK TABLE ONLY usage_hour IN ROW EXCLUSIVE MODE' };

/** One that is stale already, as today always is, is looked at and not locked. Looked up one by one, by the key. */
const MAKE_STALE = {
  name: 'weir-make-days-stale',
  text: `INSERT INTO usage_cube_day AS kept (org_id, day, state)
    SELECT org_id, to_timestamp(day_seconds), 'stale' FROM unnest($1::uuid[], $2::bigint[]) AS t(org_id, day_seconds)
    WHERE (SELECT d.state FROM usage_cube_day d WHERE d.org_id = t.org_id AND d.day = to_timestamp(t.day_seconds)) IS DISTINCT FROM 'stale'
    ORDER BY 1, 2
    ON CONFLICT (org_id, day) DO UPDATE SET state = 'stale' WHERE kept.state <> 'stale'`,
};

/**
 * Makes days stale before hours of theirs are changed, in the order of the key. The triggers of `usage_hour` would do the
 * same, yet once for hours that are new and once for hours that are added to: two batches, each with its own of both, would
 * take the same days in different orders and wait for each other.
 */
export async function makeDaysStale(client: PoolClient, days: readonly RollupIncrement[]): Promise<void> {
  const distinct = new Map(days.map((day) => [`${day.organizationId} ${day.periodStartMs}`, day]));
  const rows = [...distinct.values()];
  await client.query(LOCK_HOURS);
  await client.query({
    ...MAKE_STALE,
    values: [
      arrayLiteral(rows.map(({ organizationId }) => organizationId)),
      arrayLiteral(rows.map(({ periodStartMs }) => periodStartMs / 1000)),
    ],
  });
}
