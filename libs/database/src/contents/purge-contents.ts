import type { Pool } from 'pg';

/** Few rows at a time: they are large, and no one waits for them. */
const BATCH = 500;

const PAST = {
  name: 'weir-purge-contents',
  text: `DELETE FROM request_content WHERE (organization_id, request_id) IN (
    SELECT organization_id, request_id FROM request_content WHERE kept_until <= to_timestamp($1::double precision / 1000)
    ORDER BY kept_until LIMIT ${BATCH})`,
};

/** Of organizations that turned it off, lowered the days, or have been under zero retention since: an index look-up for each. */
const UNWANTED = {
  name: 'weir-purge-unwanted-contents',
  text: `DELETE FROM request_content d USING (
    SELECT c.organization_id, c.request_id FROM (
      SELECT id, CASE WHEN zero_data_retention OR settings ->> 'keep_contents_days' IS NULL THEN 'infinity'::timestamptz
        ELSE to_timestamp($1::double precision / 1000) - make_interval(hours => 24 * (settings ->> 'keep_contents_days')::int) END AS until
      FROM organization) o
    CROSS JOIN LATERAL (
      SELECT r.organization_id, r.request_id FROM request_content r
      WHERE r.organization_id = o.id AND r.received_at <= o.until ORDER BY r.received_at LIMIT ${BATCH}) c
    LIMIT ${BATCH}) unwanted
  WHERE d.organization_id = unwanted.organization_id AND d.request_id = unwanted.request_id`,
};

/** Deletes all contents that are past their time, or that their organization does not want kept any more. Returns how many. */
export async function purgeContents(pool: Pool, nowMs: number): Promise<number> {
  let purged = 0;
  for (const statement of [PAST, UNWANTED]) {
    for (;;) {
      const { rowCount } = await pool.query({ ...statement, values: [nowMs] });
      purged += rowCount ?? 0;
      if ((rowCount ?? 0) < BATCH) break;
    }
  }
  return purged;
}
