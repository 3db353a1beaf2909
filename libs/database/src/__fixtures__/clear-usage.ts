import type { Pool } from 'pg';

/** Empties everything that folding usage writes, the ledger too, whose triggers refuse that to everyone else. */
export async function clearUsage(pool: Pool): Promise<void> {
  await pool.query(`BEGIN; SET LOCAL session_replication_role = 'replica';
    TRUNCATE usage_writer, usage_exported, usage_feed, usage_fed, usage_offset, usage_dead_letter, usage_event, usage_series, usage_hour, usage_day, usage_month, usage_cube, usage_cube_day,
    usage_extra_field, usage_extra_value, usage_bound_met, usage_check, spend_month, limit_usage, ledger_credit, ledger_account, ledger_tx, ledger_entry, log_anchor,
    rerate, rerate_organization;
    COMMIT`);
}
