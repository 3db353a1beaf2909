import { HOUR_MS, periodStart, RESULT_COLUMNS } from '@weir/usage';
import { DatabaseError, type Pool, type PoolClient, type QueryConfig } from 'pg';
import { SILENT_LOG, type DatabaseLog } from '../../postgres/database-log';
import { runInTransaction } from '../../postgres/run-in-transaction';
import { readKeptSince } from '../partitions/read-partitions';
import { CUBES_OF_HOURS, CUBES_TO_BUILD, NEWEST_CUBE, type Cube } from './cubes';

type BuildOptions = {
  readonly pool: Pool;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log?: DatabaseLog;
  /** Hours of a day that is not over wait until they have so many rows. */
  readonly hourRowsMin?: number;
};

type BuiltCubes = {
  /** Days, and days that are not over of which hours were built. */
  readonly built: number;
  /** Changed while they were built, for the next time; or older than the hours that are kept. */
  readonly left: number;
};

/** What one attempt builds: hours of a day of an organization from `from_hour` on and before `until_hour`. */
type Stretch = {
  readonly org_id: string;
  readonly day_seconds: string;
  readonly attempt: string;
  readonly from_hour: number;
  readonly until_hour: number;
};

/** A day is worth building when hardly anything comes for it any more. */
const DAY_SETTLED_AFTER_MS = HOUR_MS;
/** An hour too, and little is lost: it is only that hour which is built again. */
const HOUR_SETTLED_AFTER_MS = 5 * 60_000;
/** Fewer are read as fast as they are. */
const HOUR_ROWS_MIN = 1_000;
const DAYS_AT_ONCE = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/** Bound: the end of the days that are over. */
const WAITING_DAYS = `SELECT org_id, day FROM usage_cube_day WHERE (state <> 'exact' OR cubes < ${NEWEST_CUBE}) AND day < to_timestamp($1::bigint)
      ORDER BY day DESC, org_id LIMIT ${DAYS_AT_ONCE}`;

/** Bound as well: the end of the hours that are over, and how many rows are worth building. */
const FIND_WAITING = {
  name: 'weir-find-waiting-cubes',
  text: `WITH closed AS (
      SELECT d.org_id, d.day, d.exact_hours, least(24, extract(epoch FROM to_timestamp($2::bigint) - d.day)::bigint / 3600)::smallint AS until_hour
      FROM usage_cube_day d WHERE d.state <> 'exact' AND d.day >= to_timestamp($1::bigint) AND d.day < to_timestamp($2::bigint)
    ), waiting AS (
      SELECT org_id, day, until_hour FROM closed c WHERE c.exact_hours < c.until_hour AND EXISTS (
        SELECT FROM usage_hour h WHERE h.org_id = c.org_id AND h.period_start >= c.day + c.exact_hours * interval '1 hour'
          AND h.period_start < c.day + c.until_hour * interval '1 hour' OFFSET $3::bigint - 1)
      ORDER BY day, org_id LIMIT ${DAYS_AT_ONCE}
    )
    SELECT (SELECT count(*) FROM (${WAITING_DAYS}) days)::int AS days, count(*)::int AS hours, coalesce(array_agg(org_id), '{}') AS org_ids,
      coalesce(array_agg(extract(epoch FROM day)::bigint::text), '{}') AS day_seconds, coalesce(array_agg(until_hour::int), '{}') AS until_hours
    FROM waiting`,
};

type Waiting = {
  readonly days: number;
  readonly hours: number;
  readonly org_ids: readonly string[];
  readonly day_seconds: readonly string[];
  readonly until_hours: readonly number[];
};

const BEGIN_DAYS = {
  name: 'weir-begin-cubes',
  text: `WITH waiting AS (${WAITING_DAYS})
    UPDATE usage_cube_day d SET state = 'building', attempt = d.attempt + 1 FROM waiting w WHERE d.org_id = w.org_id AND d.day = w.day
    RETURNING d.org_id, extract(epoch FROM d.day)::bigint::text AS day_seconds, d.attempt::text AS attempt, 0 AS from_hour, 24 AS until_hour`,
};

/** The day remains as it is: from now on a transaction that changes one of the hours also resets these counts. */
const BEGIN_HOURS = {
  name: 'weir-begin-cube-hours',
  text: `UPDATE usage_cube_day d SET watched_hours = w.until_hour, attempt = d.attempt + 1
    FROM unnest($1::uuid[], $2::bigint[], $3::smallint[]) AS w(org_id, day_seconds, until_hour)
    WHERE d.org_id = w.org_id AND d.day = to_timestamp(w.day_seconds) AND d.state <> 'exact' AND d.exact_hours < w.until_hour
    RETURNING d.org_id, w.day_seconds::text AS day_seconds, d.attempt::text AS attempt, d.exact_hours AS from_hour, d.watched_hours AS until_hour`,
};

/** Nothing changed since the attempt began, and no other has begun. */
const END_DAY = {
  name: 'weir-end-cubes',
  text: `UPDATE usage_cube_day SET state = 'exact', cubes = ${NEWEST_CUBE}, exact_hours = $4::smallint, watched_hours = $4::smallint
    WHERE org_id = $1 AND day = to_timestamp($2::bigint) AND state = 'building' AND attempt = $3::bigint`,
};

const END_HOURS = {
  name: 'weir-end-cube-hours',
  text: `UPDATE usage_cube_day SET exact_hours = $4::smallint
    WHERE org_id = $1 AND day = to_timestamp($2::bigint) AND watched_hours = $4::smallint AND attempt = $3::bigint`,
};

const CLEAR = {
  name: 'weir-clear-cubes',
  text: `DELETE FROM usage_cube WHERE org_id = $1 AND cube = ANY($4::smallint[])
    AND period_start >= to_timestamp($2::bigint) AND period_start < to_timestamp($3::bigint)`,
};

/** The row of a group of series stands under the smallest of their ids that was used in the period. Planned for each stretch: their sizes differ. */
function fillSql({ id, rollup, kept, from }: Cube): string {
  const period = rollup === 'hour' ? 'f.period_start' : 'to_timestamp($2::bigint)';
  return `INSERT INTO usage_cube (org_id, cube, period_start, series_id, ${RESULT_COLUMNS.join(', ')})
    SELECT $1, ${id}, ${period}, min(s.id), ${RESULT_COLUMNS.map((column) => `sum(f.${column})`).join(', ')}
    FROM ${from === null ? 'usage_hour' : `(SELECT * FROM usage_cube WHERE cube = ${from})`} f JOIN usage_series s ON s.id = f.series_id AND s.org_id = f.org_id
    WHERE f.org_id = $1 AND f.period_start >= to_timestamp($2::bigint) AND f.period_start < to_timestamp($3::bigint)
    GROUP BY ${[period, ...kept.map((column) => `s.${column}`)].join(', ')} ORDER BY 3, 4`;
}

/** Enough to add up the largest of days in memory; where Postgres may compile queries, doing so takes longer than it spares. */
const LARGER_WORK_MEM = "SET LOCAL work_mem = '64MB'; SET LOCAL jit = off";

/** What is built of a stretch, and what says that it is exact. */
type Plan = { readonly cubes: readonly Cube[]; readonly end: QueryConfig };

const DAY_PLAN: Plan = { cubes: CUBES_TO_BUILD, end: END_DAY };
const HOURS_PLAN: Plan = { cubes: CUBES_TO_BUILD.filter((cube) => CUBES_OF_HOURS.includes(cube)), end: END_HOURS };

const LOCK = "SELECT pg_try_advisory_lock(hashtextextended('weir-usage-cubes', 0)) AS locked";
const UNLOCK = "SELECT pg_advisory_unlock(hashtextextended('weir-usage-cubes', 0))";

/**
 * Builds the cubes of days that are over and are not exact, and the cubes of hours of the hours that are over of other days.
 * A transaction that changes hours marks the day as well. Days and hours become exact only after all transactions that had
 * begun before were waited for, and only if none has marked the day since. So exact cubes agree with the hours in every
 * snapshot, whichever process dies at whichever moment. One process at a time builds, to spare work; the others return at once.
 */
export async function buildCubes(options: BuildOptions): Promise<BuiltCubes> {
  const client = await options.pool.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>(LOCK);
    if (rows[0]?.locked !== true) return { built: 0, left: 0 };
    // The lock is released before this returns; where that fails, by the end of the session.
    return await buildWaiting(options).finally(() => client.query(UNLOCK).catch(() => undefined));
  } finally {
    client.release(true);
  }
}

async function buildWaiting({ pool, now, log = SILENT_LOG, hourRowsMin = HOUR_ROWS_MIN }: BuildOptions): Promise<BuiltCubes> {
  const nowMs = now();
  const daysEndMs = periodStart('day', nowMs - DAY_SETTLED_AFTER_MS);
  const hoursEndMs = periodStart('hour', nowMs - HOUR_SETTLED_AFTER_MS);
  const found = await pool.query<Waiting>({ ...FIND_WAITING, values: [daysEndMs / 1000, hoursEndMs / 1000, hourRowsMin] });
  const [waiting] = found.rows;
  if (waiting === undefined || waiting.days + waiting.hours === 0) return { built: 0, left: 0 };
  const begun = await beginBuilding({ pool, log }, waiting, daysEndMs);
  if (begun === undefined) return { built: 0, left: waiting.days + waiting.hours };
  let built = 0;
  const errors: unknown[] = [];
  for (const { stretch, plan } of begun) {
    try {
      if (await buildStretch(pool, stretch, plan)) built += 1;
    } catch (error) {
      errors.push(error); // what cannot be built must not keep the others from it
    }
  }
  log.info({ built, left: begun.length - built, failed: errors.length }, 'cubes of usage were built');
  if (errors.length > 0) throw errors[0];
  return { built, left: begun.length - built };
}

type Begun = { readonly stretch: Stretch; readonly plan: Plan };

/**
 * Records what is being built while no transaction changes hours: those that did before have committed, and those that do
 * from now on see the record. Counting waits for no more than that. Hours of today first: they are few and asked for most. Undefined when
 * others are not done in time.
 */
async function beginBuilding(
  { pool, log }: { readonly pool: Pool; readonly log: DatabaseLog },
  waiting: Waiting,
  daysEndMs: number,
): Promise<readonly Begun[] | undefined> {
  const begin = async (client: PoolClient, plan: Plan, statement: QueryConfig): Promise<Begun[]> =>
    (await client.query<Stretch>(statement)).rows.map((stretch) => ({ stretch, plan }));
  try {
    return await runInTransaction(pool, async (client) => {
      await client.query("SET LOCAL lock_timeout = '2s'");
      await client.query('LOCK TABLE ONLY usage_hour IN SHARE MODE');
      const hours = { ...BEGIN_HOURS, values: [waiting.org_ids, waiting.day_seconds, waiting.until_hours] };
      return [
        ...(waiting.hours === 0 ? [] : await begin(client, HOURS_PLAN, hours)),
        ...(waiting.days === 0 ? [] : await begin(client, DAY_PLAN, { ...BEGIN_DAYS, values: [daysEndMs / 1000] })),
      ];
    });
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
    log.warn({ error }, 'usage is being changed at length; cubes are built at the next time');
    return undefined;
  }
}

/** Raised to undo what was written. */
class NotExact extends Error {}

/** Returns false when hours of the stretch were changed meanwhile, or are not all kept any more. */
async function buildStretch(pool: Pool, stretch: Stretch, { cubes, end }: Plan): Promise<boolean> {
  const [organizationId, dayStart] = [stretch.org_id, Number(stretch.day_seconds)];
  const stretchOf = [organizationId, dayStart + stretch.from_hour * 3600, dayStart + stretch.until_hour * 3600];
  try {
    await runInTransaction(pool, async (client) => {
      await client.query(LARGER_WORK_MEM);
      await client.query({ ...CLEAR, values: [...stretchOf, cubes.map(({ id }) => id)] });
      for (const cube of cubes) await client.query({ text: fillSql(cube), values: stretchOf });
      // Of a day whose hours are dropped there is only what came later. From here on none are dropped until this ends.
      if (dayStart * 1000 < (await readKeptSince(client, 'usage_hour'))) throw new NotExact();
      const { rowCount } = await client.query({ ...end, values: [organizationId, dayStart, stretch.attempt, stretch.until_hour] });
      if (rowCount !== 1) throw new NotExact();
    });
    return true;
  } catch (error) {
    if (error instanceof NotExact) return false;
    throw error;
  }
}
