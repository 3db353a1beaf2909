import type { Pool } from 'pg';

/** The one columnar store that there may be. */
const STORE = 'clickhouse';

/** As long as one page may take; a process that dies is followed by another after this. */
const LEASE_MS = 120_000;

const ADD = { name: 'weir-add-feed', text: `INSERT INTO usage_feed (store) VALUES ('${STORE}') ON CONFLICT DO NOTHING` };

const IS_FREE = '(leased_by = $1::uuid OR leased_until IS NULL OR leased_until < now())';

const CLAIM = {
  name: 'weir-claim-feed',
  text: `UPDATE usage_feed SET run = run + 1, leased_by = $1::uuid, leased_until = now() + $2::bigint * interval '1 millisecond'
    WHERE store = '${STORE}' AND ${IS_FREE} RETURNING run::text AS run, written_run::text AS written_run`,
};

type Claimed = { readonly run: string; readonly written_run: string };

/** Takes or prolongs the lease and counts a pass; undefined while another process has it. */
export async function claimFeed(pool: Pool, owner: string): Promise<{ readonly run: number; readonly writtenRun: number } | undefined> {
  const claim = async (): Promise<Claimed | undefined> => (await pool.query<Claimed>({ ...CLAIM, values: [owner, LEASE_MS] })).rows[0];
  let claimed = await claim();
  if (claimed === undefined) {
    await pool.query(ADD);
    claimed = await claim();
  }
  return claimed === undefined ? undefined : { run: Number(claimed.run), writtenRun: Number(claimed.written_run) };
}

const HOLD = {
  name: 'weir-prolong-feed',
  text: `UPDATE usage_feed SET leased_until = now() + $2::bigint * interval '1 millisecond' WHERE store = '${STORE}' AND leased_by = $1::uuid`,
};

/** Prolongs the lease. Throws when another process feeds by now. */
export async function holdFeed(pool: Pool, owner: string): Promise<void> {
  const { rowCount } = await pool.query({ ...HOLD, values: [owner, LEASE_MS] });
  if (rowCount !== 1) throw new Error('another process feeds usage by now');
}

/** Locks the lease, for notes in the same transaction: a process that has lost it can note nothing. */
export const HOLD_LEASE = {
  name: 'weir-hold-feed',
  text: `UPDATE usage_feed SET leased_until = now() + ${LEASE_MS} * interval '1 millisecond', written_run = run
    WHERE store = '${STORE}' AND leased_by = $1::uuid RETURNING run`,
};

/** Of one statement: what was fed and that it was are forgotten together. */
const START_OVER = {
  name: 'weir-start-feed-over',
  text: `WITH forgotten AS (UPDATE usage_feed SET written_run = 0, fed_as_of = NULL, fed_since = NULL WHERE store = '${STORE}' AND leased_by = $1::uuid
      RETURNING store)
    DELETE FROM usage_fed WHERE EXISTS (SELECT FROM forgotten)`,
};
const SKIP_RUNS = {
  name: 'weir-skip-feed-runs',
  text: `UPDATE usage_feed SET run = greatest(run, $2::bigint) WHERE store = '${STORE}' AND leased_by = $1::uuid`,
};

export async function startFeedOver(pool: Pool, owner: string): Promise<void> {
  await pool.query({ ...START_OVER, values: [owner] });
}

export async function skipFeedRuns(pool: Pool, owner: string, run: number): Promise<void> {
  await pool.query({ ...SKIP_RUNS, values: [owner, run] });
}

const RELEASE = {
  name: 'weir-release-feed',
  text: `UPDATE usage_feed SET leased_by = NULL, leased_until = NULL WHERE store = '${STORE}' AND leased_by = $1::uuid`,
};

export async function releaseFeed(pool: Pool, owner: string): Promise<void> {
  await pool.query({ ...RELEASE, values: [owner] });
}

/** Where feeding stood still for longer than events are kept, what was dropped meanwhile is not in the store. */
const COMPLETE = {
  name: 'weir-complete-feed',
  text: `UPDATE usage_feed SET fed_as_of = greatest(fed_as_of, to_timestamp($2::double precision / 1000)),
      fed_since = CASE WHEN fed_as_of IS NULL OR fed_as_of < to_timestamp($3::double precision / 1000)
        THEN greatest(fed_since, to_timestamp($3::double precision / 1000)) ELSE fed_since END
    WHERE store = '${STORE}' AND leased_by = $1::uuid RETURNING (extract(epoch FROM fed_since) * 1000)::bigint::text AS since_ms`,
};

type Completed = { readonly owner: string; readonly asOfMs: number; readonly keptSinceMs: number };

/** Returns since when everything that was used is in the store. Throws when another process feeds by now. */
export async function completeFeed(pool: Pool, { owner, asOfMs, keptSinceMs }: Completed): Promise<number> {
  const { rows } = await pool.query<{ since_ms: string }>({ ...COMPLETE, values: [owner, asOfMs, keptSinceMs] });
  if (rows[0] === undefined) throw new Error('another process feeds usage by now');
  return Number(rows[0].since_ms);
}

const READ_PROGRESS = {
  name: 'weir-read-feed-progress',
  text: `SELECT floor(extract(epoch FROM fed_as_of) * 1000)::text AS fed_ms, floor(extract(epoch FROM fed_since) * 1000)::text AS since_ms,
      (SELECT floor(extract(epoch FROM max(updated_at)) * 1000)::text FROM usage_writer) AS counted_ms,
      written_run::text AS written_run
    FROM usage_feed WHERE store = '${STORE}' AND fed_as_of IS NOT NULL`,
};

type Progress = {
  readonly fed_ms: string;
  readonly since_ms: string | null;
  readonly counted_ms: string | null;
  readonly written_run: string;
};

export async function readFeedProgress(pool: Pool): Promise<Progress | undefined> {
  return (await pool.query<Progress>(READ_PROGRESS)).rows[0];
}

const READ_COMPARED = {
  name: 'weir-read-compared-day',
  text: `SELECT floor(extract(epoch FROM compared_day) * 1000)::text AS ms FROM usage_feed WHERE store = '${STORE}'`,
};
const NOTE_COMPARED = {
  name: 'weir-note-compared-day',
  text: `UPDATE usage_feed SET compared_day = to_timestamp($1::double precision / 1000) WHERE store = '${STORE}'`,
};

export async function readComparedDay(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: string | null }>(READ_COMPARED);
  return Number(rows[0]?.ms ?? 0);
}

export async function noteComparedDay(pool: Pool, dayMs: number): Promise<void> {
  await pool.query({ ...NOTE_COMPARED, values: [dayMs] });
}
