import { usesFreeSlot } from '@weir/limits';
import { periodStart, type TimedUsageEvent } from '@weir/usage';
import type { PoolClient } from 'pg';
import { arrayLiteral } from '../postgres/array-literal';

const ADD = {
  name: 'weir-add-free-days',
  text: `INSERT INTO free_day (org_id, day, used) SELECT org_id, to_timestamp(day), used
    FROM unnest($1::uuid[], $2::bigint[], $3::int[]) AS t(org_id, day, used)
    ON CONFLICT (org_id, day) DO UPDATE SET used = free_day.used + excluded.used`,
};

/** Adds a batch's requests to free models to their days, by the rule that gives slots back. */
export async function writeFreeDays(client: PoolClient, events: readonly TimedUsageEvent[]): Promise<void> {
  const used = new Map<string, { organizationId: string; daySeconds: number; count: number }>();
  for (const { event, admittedAtMs } of events) {
    // Under the organization's own provider key a request takes no slot.
    if (!event.is_free || event.is_byok || !event.logical) continue;
    if (!usesFreeSlot({ status: event.status, outputTokens: event.units.out })) continue;
    const daySeconds = periodStart('day', admittedAtMs) / 1000;
    const key = `${event.org_id} ${daySeconds}`;
    const present = used.get(key);
    if (present === undefined) used.set(key, { organizationId: event.org_id, daySeconds, count: 1 });
    else present.count += 1;
  }
  if (used.size === 0) return;
  // In one order everywhere: two batches never wait for each other.
  const rows = [...used].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await client.query({
    ...ADD,
    values: [
      arrayLiteral(rows.map(({ organizationId }) => organizationId)),
      arrayLiteral(rows.map(({ daySeconds }) => daySeconds)),
      arrayLiteral(rows.map(({ count }) => count)),
    ],
  });
}
