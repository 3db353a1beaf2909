import { periodStart } from '@weir/usage';
import type { Pool } from 'pg';
import { writeCrossings, writeRecoveries } from './write-crossings';

/**
 * Alerts about spending, each with its threshold. A member's limit of Group mode is a budget, and 0 is none; without a limit
 * there is nothing a percentage could be of.
 */
const SUBJECTS = `alert a
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
  CROSS JOIN LATERAL (SELECT coalesce(a.amount_pico, ceil(l.limit_pico * a.percentage / 100)) AS threshold) t`;

const SPEND_OF_ALERT = `s.scope = CASE a.scope WHEN 'member' THEN 'group_member' ELSE a.scope END AND s.scope_id = a.scope_id`;
const IS_ABOUT_SPEND = `a.scope IN ('key', 'member', 'group')`;

/** Every month since an alert was made whose spending is at or above its threshold. */
const CROSSED = {
  name: 'weir-fire-spend-alerts',
  text: writeCrossings(`SELECT a.id AS alert_id, a.org_id, to_char(s.month AT TIME ZONE 'UTC', 'YYYY-MM') AS episode, s.cost_pico AS value,
      t.threshold, '{}'::jsonb AS details, a.repeat_hours, s.month = to_timestamp($3::bigint / 1000.0) AS is_current
    FROM ${SUBJECTS}
    JOIN spend_month s ON ${SPEND_OF_ALERT}
      AND s.month >= greatest(to_timestamp($2::bigint / 1000.0), date_trunc('month', a.created_at, 'UTC'))
    WHERE ${IS_ABOUT_SPEND} AND s.cost_pico >= t.threshold`),
};

/** A limit that was raised or taken away, or a month that began. */
const RECOVERED = {
  name: 'weir-recover-spend-alerts',
  text: writeRecoveries(`SELECT a.id AS alert_id, coalesce(s.cost_pico, 0) AS value, t.threshold
    FROM ${SUBJECTS}
    LEFT JOIN spend_month s ON ${SPEND_OF_ALERT} AND s.month = to_timestamp($2::bigint / 1000.0)
    WHERE ${IS_ABOUT_SPEND} AND a.notify_recovery AND (t.threshold IS NULL OR coalesce(s.cost_pico, 0) < t.threshold)`),
};

export async function fireSpendAlerts(pool: Pool, nowMs: number): Promise<number> {
  const month = periodStart('month', nowMs);
  // Late usage still belongs to the month before.
  const since = periodStart('month', month - 1);
  const crossed = await pool.query({ ...CROSSED, values: [nowMs, since, month] });
  const recovered = await pool.query({ ...RECOVERED, values: [nowMs, month] });
  return (crossed.rowCount ?? 0) + (recovered.rowCount ?? 0);
}
