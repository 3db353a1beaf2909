import { periodStart } from '@weir/usage';
import type { Pool } from 'pg';
import { PICO_PER_USD } from '../ledger/write-postings';

/**
 * Every month since an alert was made whose spending is at or above its threshold. A member's limit of Group mode is a
 * budget, and 0 is none; without a limit there is nothing a percentage could be of.
 */
const FIRE_SPEND = {
  name: 'weir-fire-spend-alerts',
  text: `INSERT INTO alert_firing (alert_id, org_id, period, value_pico, threshold_pico)
    SELECT a.id, a.org_id, p.period, s.cost_pico, t.threshold
    FROM alert a
    JOIN spend_month s ON s.scope = CASE a.scope WHEN 'member' THEN 'group_member' ELSE a.scope END AND s.scope_id = a.scope_id
      AND s.month >= greatest(to_timestamp($1::bigint / 1000.0), date_trunc('month', a.created_at, 'UTC'))
    JOIN organization o ON o.id = a.org_id
    LEFT JOIN api_key k ON k.id = CASE a.scope WHEN 'key' THEN a.scope_id::uuid END
    LEFT JOIN user_group g ON g.id = CASE WHEN a.scope IN ('group', 'member') THEN split_part(a.scope_id, '/', 1)::uuid END
    LEFT JOIN group_member m ON m.group_id = g.id AND m.user_id = CASE a.scope WHEN 'member' THEN split_part(a.scope_id, '/', 2)::uuid END
    CROSS JOIN LATERAL (SELECT nullif(CASE a.scope
      WHEN 'key' THEN k.monthly_limit_pico
      WHEN 'group' THEN CASE WHEN o.budget_mode = 'group' THEN g.monthly_budget_pico END
      WHEN 'member' THEN CASE WHEN o.budget_mode = 'group'
        THEN coalesce(m.monthly_budget_pico, m.monthly_limit_pico, g.budget_per_user_pico)
        ELSE coalesce(m.monthly_limit_pico, g.monthly_limit_pico) END
      END, 0) AS limit_pico) l
    CROSS JOIN LATERAL (SELECT coalesce(a.amount_pico, ceil(l.limit_pico * a.percentage / 100)) AS threshold) t
    CROSS JOIN LATERAL (SELECT to_char(s.month AT TIME ZONE 'UTC', 'YYYY-MM') AS period) p
    WHERE s.cost_pico >= t.threshold
      AND NOT EXISTS (SELECT 1 FROM alert_firing f WHERE f.alert_id = a.id AND f.period = p.period)
    ORDER BY a.id ON CONFLICT (alert_id, period) DO NOTHING`,
};

/** Balances at or below their threshold; each credit begins a new period. A percentage is of the last credit. */
const FIRE_BALANCE = {
  name: 'weir-fire-balance-alerts',
  text: `INSERT INTO alert_firing (alert_id, org_id, period, value_pico, threshold_pico)
    SELECT a.id, a.org_id, c.id::text, b.pico, t.threshold
    FROM alert a
    CROSS JOIN LATERAL (SELECT x.id FROM ledger_tx x WHERE x.org_id = a.org_id AND x.kind IN ('top_up', 'gift', 'promotion')
      ORDER BY x.effective_at DESC, x.id LIMIT 1) c
    CROSS JOIN LATERAL (SELECT sum(e.amount) * ${PICO_PER_USD} AS pico FROM ledger_entry e WHERE e.tx_id = c.id AND e.amount > 0) credit
    CROSS JOIN LATERAL (SELECT sum(l.balance) * ${PICO_PER_USD} AS pico FROM ledger_account l
      WHERE l.org_id = a.org_id AND l.kind IN ('cash', 'promo', 'gift')) b
    CROSS JOIN LATERAL (SELECT coalesce(a.amount_pico, floor(credit.pico * a.percentage / 100)) AS threshold) t
    WHERE a.scope = 'balance' AND b.pico <= t.threshold
      AND NOT EXISTS (SELECT 1 FROM alert_firing f WHERE f.alert_id = a.id AND f.period = c.id::text)
    ORDER BY a.id ON CONFLICT (alert_id, period) DO NOTHING`,
};

/**
 * Notes every crossing there is and has not been noted, once for each alert and period however often and wherever this
 * runs: it compares what is, so nothing is missed that happened while no process ran. Returns how many are new.
 */
export async function fireAlerts(pool: Pool, nowMs: number): Promise<number> {
  // Late usage still belongs to the month before.
  const since = periodStart('month', periodStart('month', nowMs) - 1);
  const spend = await pool.query({ ...FIRE_SPEND, values: [since] });
  const balance = await pool.query(FIRE_BALANCE);
  return (spend.rowCount ?? 0) + (balance.rowCount ?? 0);
}
