import type { Pool } from 'pg';

/** Few rows at a time, so that none of them is locked for long. */
const BATCH = 2_000;

const FORGET = {
  name: 'weir-forget-limit-usage',
  text: `DELETE FROM limit_usage WHERE (org_id, scope) IN (
    SELECT org_id, scope FROM limit_usage WHERE expires_at <= to_timestamp($1::double precision / 1000)
    ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
};

/** Deletes what limits have counted in windows that no one asks for any more. Returns how many rows. */
export async function forgetLimitUsage(pool: Pool, nowMs: number): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const { rowCount } = await pool.query({ ...FORGET, values: [nowMs] });
    forgotten += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH) return forgotten;
  }
}
