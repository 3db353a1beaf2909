import type { UsageEvent } from '@weir/contracts';
import type { Database } from '@weir/database';
import { traceOf } from '../load/client-request';

type Pool = Database['pool'];

/** Every usage event in the database, by the seed of its request. */
export async function readEvents(pool: Pool): Promise<Map<string, UsageEvent[]>> {
  const { rows } = await pool.query<{ payload: UsageEvent }>('SELECT payload FROM usage_event');
  const byTrace = new Map<string, UsageEvent[]>();
  for (const { payload } of rows) {
    const trace = payload.trace_id ?? 'none';
    const known = byTrace.get(trace);
    if (known === undefined) byTrace.set(trace, [payload]);
    else known.push(payload);
  }
  return byTrace;
}

export function eventsOf(events: ReadonlyMap<string, UsageEvent[]>, seed: number): readonly UsageEvent[] {
  return events.get(traceOf(seed)) ?? [];
}

const TOTALS = `
  SELECT 'hour' AS place, sum(attempts)::text AS attempts, sum(cost_pico)::text AS cost FROM usage_hour
  UNION ALL SELECT 'day', sum(attempts)::text, sum(cost_pico)::text FROM usage_day
  UNION ALL SELECT 'month', sum(attempts)::text, sum(cost_pico)::text FROM usage_month
  UNION ALL SELECT 'spend', (SELECT count(*) FROM usage_event)::text, sum(cost_pico)::text FROM spend_month WHERE scope = 'organization'
  UNION ALL SELECT 'events', count(*)::text, sum((payload->>'cost_p')::numeric)::text FROM usage_event`;

/** The same totals as five places keep them. */
export async function readTotals(pool: Pool): Promise<{ place: string; attempts: string; cost: string }[]> {
  return (await pool.query<{ place: string; attempts: string | null; cost: string | null }>(TOTALS)).rows.map((row) => ({
    place: row.place,
    attempts: row.attempts ?? '0',
    cost: row.cost ?? '0',
  }));
}

/** Attempts and cost by the second in which their hour begins, as the hourly rollup has them. */
export async function readHours(pool: Pool): Promise<Map<number, string>> {
  const { rows } = await pool.query<{ hour: string; attempts: string; cost: string }>(
    'SELECT extract(epoch FROM period_start)::bigint::text AS hour, sum(attempts)::text AS attempts, sum(cost_pico)::text AS cost FROM usage_hour GROUP BY 1',
  );
  return new Map(rows.map(({ hour, attempts, cost }) => [Number(hour), `${attempts} for ${cost} p$`]));
}

const LEDGER = `
  SELECT coalesce((SELECT sum(amount) FROM ledger_entry), 0) = 0 AS balanced,
    coalesce((SELECT bool_and(a.balance = coalesce((SELECT sum(e.amount) FROM ledger_entry e WHERE e.account_id = a.id), 0)) FROM ledger_account a), true) AS kept,
    coalesce((SELECT sum(balance) FROM ledger_account WHERE kind = 'usage'), 0)
      = coalesce((SELECT sum((payload->>'billed_p')::numeric) FROM usage_event), 0) * 0.000000000001 AS billed`;

/** Whether debits equal credits, balances are the sums of their entries, and what was posted is what was billed. */
export async function readLedger(pool: Pool): Promise<{ balanced: boolean; kept: boolean; billed: boolean }> {
  const { rows } = await pool.query<{ balanced: boolean; kept: boolean; billed: boolean }>(LEDGER);
  return rows[0] ?? { balanced: false, kept: false, billed: false };
}

/** Writers whose sequences are not one range from 0: a loss, with its numbers. */
export async function readBrokenWriters(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ broken: string }>(
    `SELECT writer_id || ' ' || seen AS broken FROM usage_writer
     WHERE NOT isempty(seen) AND seen <> int8multirange(int8range(0, upper(seen)))`,
  );
  return rows.map(({ broken }) => broken);
}

export async function countDeadLetters(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM usage_dead_letter');
  return rows[0]?.count ?? 0;
}
