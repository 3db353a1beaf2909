import type { Pool } from 'pg';
import { PICO_PER_USD } from '../ledger/write-postings';
import { writeCrossings, writeRecoveries } from './write-crossings';

/** Alerts about balances, each with the last credit, what is left and the threshold. A percentage is of the last credit. */
const SUBJECTS = `alert a
  CROSS JOIN LATERAL (SELECT x.id FROM ledger_tx x WHERE x.org_id = a.org_id AND x.kind IN ('top_up', 'gift', 'promotion')
    ORDER BY x.effective_at DESC, x.id LIMIT 1) c
  CROSS JOIN LATERAL (SELECT sum(e.amount) * ${PICO_PER_USD} AS pico FROM ledger_entry e WHERE e.tx_id = c.id AND e.amount > 0) credit
  CROSS JOIN LATERAL (SELECT sum(l.balance) * ${PICO_PER_USD} AS pico FROM ledger_account l
    WHERE l.org_id = a.org_id AND l.kind IN ('cash', 'promo', 'gift')) b
  CROSS JOIN LATERAL (SELECT coalesce(a.amount_pico, floor(credit.pico * a.percentage / 100)) AS threshold) t`;

/** Balances at or below their threshold; each credit begins a new period. */
const CROSSED = {
  name: 'weir-fire-balance-alerts',
  text: writeCrossings(`SELECT a.id AS alert_id, a.org_id, c.id::text AS episode, b.pico AS value, t.threshold, '{}'::jsonb AS details,
      a.repeat_hours, true AS is_current
    FROM ${SUBJECTS} WHERE a.scope = 'balance' AND b.pico <= t.threshold`),
};

const RECOVERED = {
  name: 'weir-recover-balance-alerts',
  text: writeRecoveries(`SELECT a.id AS alert_id, b.pico AS value, t.threshold
    FROM ${SUBJECTS} WHERE a.scope = 'balance' AND a.notify_recovery AND b.pico > t.threshold`),
};

export async function fireBalanceAlerts(pool: Pool, nowMs: number): Promise<number> {
  const crossed = await pool.query({ ...CROSSED, values: [nowMs] });
  const recovered = await pool.query({ ...RECOVERED, values: [nowMs] });
  return (crossed.rowCount ?? 0) + (recovered.rowCount ?? 0);
}
