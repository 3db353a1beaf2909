import type { Pool } from 'pg';

/** Which days are looked after: half-open, UTC epoch milliseconds, of these organizations or, without a list, of all. */
export type ExportScope = { readonly fromMs: number; readonly untilMs: number; readonly organizations: readonly string[] | null };

export type DueExport = { readonly organizationId: string; readonly dayMs: number };

/** What waits, whether somebody is at work on it or not, and also days whose sums are not settled yet; and since when the oldest does. */
export type WaitingExports = { readonly days: number; readonly sinceMs: number | null };

/** `d` a day with usage, `e` its newest revision. */
const DAYS = `FROM usage_cube_day d
    LEFT JOIN LATERAL (SELECT state, attempt, leased_until, created_at FROM usage_file_export x WHERE x.org_id = d.org_id AND x.day = d.day
      ORDER BY x.revision DESC LIMIT 1) e ON true
    WHERE d.day >= to_timestamp($1::bigint) AND d.day < to_timestamp($2::bigint) AND ($3::uuid[] IS NULL OR d.org_id = ANY($3::uuid[]))`;

/** One that is sealed is finished whatever became of the day since. */
const FIND_DUE = {
  name: 'weir-find-due-usage-files',
  text: `SELECT d.org_id, extract(epoch FROM d.day)::bigint::text AS day_seconds ${DAYS}
      AND (e.state = 'sealed' OR (d.state = 'exact' AND (e.state IS NULL OR e.state = 'writing' OR e.attempt <> d.attempt)))
      AND (e.leased_until IS NULL OR e.leased_until < now())
    ORDER BY d.day, d.org_id LIMIT $4`,
};

/** A day waits from an hour after its end on, but not from before anything was exported at all ($4); a later revision from its beginning on. */
const COUNT_WAITING = {
  name: 'weir-count-waiting-usage-files',
  text: `SELECT count(*)::int AS days, floor(extract(epoch FROM min(CASE WHEN e.state IS NULL THEN greatest(d.day + interval '25 hours', to_timestamp($4::bigint))
      WHEN e.state <> 'published' THEN e.created_at END)) * 1000)::text AS since_ms ${DAYS}
      AND (e.state IS DISTINCT FROM 'published' OR d.state <> 'exact' OR e.attempt <> d.attempt)`,
};

const FORGET = 'DELETE FROM usage_file_export WHERE day < to_timestamp($1::bigint) AND state = $2';

function valuesOf({ fromMs, untilMs, organizations }: ExportScope): unknown[] {
  return [fromMs / 1000, untilMs / 1000, organizations];
}

/** Days that are over and settled, and not exported as they are by now; the oldest first. */
export async function findDueExports(pool: Pool, scope: ExportScope, limit: number): Promise<DueExport[]> {
  const { rows } = await pool.query<{ org_id: string; day_seconds: string }>({ ...FIND_DUE, values: [...valuesOf(scope), limit] });
  return rows.map((row) => ({ organizationId: row.org_id, dayMs: Number(row.day_seconds) * 1000 }));
}

export async function countWaitingExports(pool: Pool, scope: ExportScope, startedMs: number): Promise<WaitingExports> {
  const values = [...valuesOf(scope), Math.floor(startedMs / 1000)];
  const { rows } = await pool.query<{ days: number; since_ms: string | null }>({ ...COUNT_WAITING, values });
  const [{ days, since_ms: since } = { days: 0, since_ms: null }] = rows;
  return { days, sinceMs: since === null ? null : Number(since) };
}

/** Forgets exports of days that nothing can change any more. What is in the bucket stays there. */
export async function forgetExports(pool: Pool, beforeMs: number): Promise<void> {
  await pool.query(FORGET, [beforeMs / 1000, 'published']);
}
