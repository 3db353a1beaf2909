import { HOUR_MS, periodStart } from '@weir/usage';
import { DatabaseError, type Pool } from 'pg';
import { SILENT_LOG, type DatabaseLog } from '../../database-log';
import { runInTransaction } from '../../run-in-transaction';
import { ANSWER_COLUMNS } from '../answer-columns';
import { readKeptSince } from '../partitions/read-partitions';
import { CUBES, CUBES_TO_BUILD, NEWEST_CUBE, type Cube } from './cubes';

export type BuildOptions = {
  readonly pool: Pool;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log?: DatabaseLog;
};

export type BuiltCubes = {
  readonly built: number;
  /** Changed while they were built, for the next time; or older than the hours that are kept. */
  readonly left: number;
};

type WaitingDay = { readonly org_id: string; readonly day_seconds: string; readonly attempt: string };

/** A day is worth building when hardly anything comes for it any more. */
const SETTLED_AFTER_MS = HOUR_MS;
const DAYS_AT_ONCE = 500;
const LOCK_NOT_AVAILABLE = '55P03';

const WAITING = `SELECT org_id, day FROM usage_cube_day WHERE (state <> 'exact' OR cubes < ${NEWEST_CUBE}) AND day < to_timestamp($1::bigint)
      ORDER BY day DESC, org_id LIMIT ${DAYS_AT_ONCE}`;

const COUNT_WAITING = { name: 'weir-count-waiting-cubes', text: `SELECT count(*) FROM (${WAITING}) waiting` };

const BEGIN_BUILDING = {
  name: 'weir-begin-cubes',
  text: `WITH waiting AS (${WAITING})
    UPDATE usage_cube_day d SET state = 'building', attempt = d.attempt + 1 FROM waiting w WHERE d.org_id = w.org_id AND d.day = w.day
    RETURNING d.org_id, extract(epoch FROM d.day)::bigint::text AS day_seconds, d.attempt::text AS attempt`,
};

/** Nothing changed since the attempt began, and no other has begun. */
const END_BUILDING = {
  name: 'weir-end-cubes',
  text: `UPDATE usage_cube_day SET state = 'exact', cubes = ${NEWEST_CUBE}
    WHERE org_id = $1 AND day = to_timestamp($2::bigint) AND state = 'building' AND attempt = $3::bigint`,
};

const CLEAR = {
  name: 'weir-clear-cubes',
  text: `DELETE FROM usage_cube WHERE org_id = $1 AND cube = ANY($3::smallint[])
    AND period_start >= to_timestamp($2::bigint) AND period_start < to_timestamp($2::bigint) + interval '24 hours'`,
};

/** The row of a group of series stands under the smallest of their ids that was used on the day. */
const FILLS = CUBES_TO_BUILD.map((cube) => ({ name: `weir-fill-cube-${cube.id}`, text: fillSql(cube) }));

function fillSql({ id, rollup, kept, from }: Cube): string {
  const source = from === null ? 'usage_hour WHERE' : `usage_cube WHERE cube = ${from} AND`;
  const period = rollup === 'hour' ? 'period_start' : 'to_timestamp($2::bigint)';
  return `WITH facts AS MATERIALIZED (
      SELECT ${period} AS period_start, series_id, ${ANSWER_COLUMNS.join(', ')} FROM ${source} org_id = $1
        AND period_start >= to_timestamp($2::bigint) AND period_start < to_timestamp($2::bigint) + interval '24 hours'
    ), named AS MATERIALIZED (
      SELECT s.id, min(s.id) OVER (PARTITION BY ${kept.map((column) => `s.${column}`).join(', ')}) AS stands_for
      FROM usage_series s WHERE s.org_id = $1 AND s.id IN (SELECT series_id FROM facts)
    )
    INSERT INTO usage_cube (org_id, cube, period_start, series_id, ${ANSWER_COLUMNS.join(', ')})
    SELECT $1, ${id}, f.period_start, n.stands_for, ${ANSWER_COLUMNS.map((column) => `sum(f.${column})`).join(', ')}
    FROM facts f JOIN named n ON n.id = f.series_id GROUP BY f.period_start, n.stands_for ORDER BY f.period_start, n.stands_for`;
}

const LOCK = "SELECT pg_try_advisory_lock(hashtextextended('weir-usage-cubes', 0)) AS locked";
const UNLOCK = "SELECT pg_advisory_unlock(hashtextextended('weir-usage-cubes', 0))";

/**
 * Builds the cubes of days that are over and are not exact. Whoever changes hours makes their day stale in the same
 * transaction, and a day becomes exact only if that has not happened since all who had begun before were waited for: so
 * in every snapshot an exact day's cubes say what its hours say, whoever dies when. One process at a time does it, to
 * spare work; the others have nothing to do.
 */
export async function buildCubes({ pool, now, log = SILENT_LOG }: BuildOptions): Promise<BuiltCubes> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>(LOCK);
    if (rows[0]?.locked !== true) return { built: 0, left: 0 };
    const built = await buildWaiting({ pool, log }, periodStart('day', now() - SETTLED_AFTER_MS));
    await client.query(UNLOCK);
    return built;
  } finally {
    // Ending the session gives the lock back whatever happened.
    client.release(true);
  }
}

async function buildWaiting({ pool, log }: { readonly pool: Pool; readonly log: DatabaseLog }, beforeMs: number): Promise<BuiltCubes> {
  const { rows } = await pool.query<{ count: string }>({ ...COUNT_WAITING, values: [beforeMs / 1000] });
  const waiting = Number(rows[0]?.count);
  if (waiting === 0) return { built: 0, left: 0 };
  const days = await beginBuilding(pool, log, beforeMs);
  if (days === undefined) return { built: 0, left: waiting };
  let built = 0;
  const errors: unknown[] = [];
  for (const day of days) {
    try {
      if (await buildDay(pool, day)) built += 1;
    } catch (error) {
      errors.push(error); // a day that cannot be built must not keep the others from it
    }
  }
  log.info({ built, left: days.length - built, failed: errors.length }, 'cubes of usage were built');
  if (errors.length > 0) throw errors[0];
  return { built, left: days.length - built };
}

/**
 * Says which days are being built while nobody changes hours: whoever did before has committed, and whoever does from now on
 * sees it. Counting waits for no more than that. Undefined when others are not done in time.
 */
async function beginBuilding(pool: Pool, log: DatabaseLog, beforeMs: number): Promise<readonly WaitingDay[] | undefined> {
  try {
    return await runInTransaction(pool, async (client) => {
      await client.query("SET LOCAL lock_timeout = '2s'");
      await client.query('LOCK TABLE ONLY usage_hour IN SHARE MODE');
      return (await client.query<WaitingDay>({ ...BEGIN_BUILDING, values: [beforeMs / 1000] })).rows;
    });
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
    log.warn({ error }, 'usage is being changed at length; cubes are built at the next time');
    return undefined;
  }
}

/** Raised to undo what was written. */
class NotExact extends Error {}

/** Answers false when hours of the day were changed meanwhile, or are not all kept any more. */
async function buildDay(pool: Pool, { org_id: organizationId, day_seconds: daySeconds, attempt }: WaitingDay): Promise<boolean> {
  try {
    await runInTransaction(pool, async (client) => {
      await client.query({ ...CLEAR, values: [organizationId, daySeconds, CUBES.map(({ id }) => id)] });
      for (const fill of FILLS) await client.query({ ...fill, values: [organizationId, daySeconds] });
      // Of a day whose hours are dropped there is only what came later. From here on none are dropped until this ends.
      if (Number(daySeconds) * 1000 < (await readKeptSince(client, 'usage_hour'))) throw new NotExact();
      const { rowCount } = await client.query({ ...END_BUILDING, values: [organizationId, daySeconds, attempt] });
      if (rowCount !== 1) throw new NotExact();
    });
    return true;
  } catch (error) {
    if (error instanceof NotExact) return false;
    throw error;
  }
}
