import { randomUUID } from 'node:crypto';
import { createUsageUpkeep, type Database } from '@weir/database';
import { DAY_MS, HOUR_MS } from '@weir/usage';
import { ASKED_AT_MS } from './questions';

export type GeneratedUsage = {
  readonly organizationId: string;
  readonly hours: number;
  readonly days: number;
  readonly cubes: number;
  /** Of the data, a UTC midnight. */
  readonly endMs: number;
};

type GenerateOptions = { readonly series: number; readonly days: number };

const NAME = 'Bench';
/** Series that differ in their extra field only. */
const FEATURES_OF_ONE = 6;
const MODELS = 25;
const TEAMS = 20;
const FEATURES = 200;

/**
 * Hours, days and months of one large organization, and their cubes as they are at the moment that is asked at: keys that use 25 models each, each key of one of 20 teams, each
 * combination with six of its team's features. Each combination is used in half of all hours. A database that has
 * it already is taken as it is.
 */
export async function generateUsage(database: Database, { series, days }: GenerateOptions): Promise<GeneratedUsage> {
  const { pool } = database;
  const known = await pool.query<{ id: string }>('SELECT id FROM organization WHERE name = $1', [NAME]);
  const organizationId = known.rows[0]?.id ?? randomUUID();
  if (known.rows.length === 0) {
    const endMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    await insertSeries(database, organizationId, series);
    // Day by day: Postgres keeps all rows of a statement for the triggers at its end.
    for (let startMs = endMs - days * DAY_MS; startMs < endMs; startMs += DAY_MS) await insertDay(database, organizationId, startMs);
    await insertAbove(database, 'day', 'hour');
    await insertAbove(database, 'month', 'day');
    await pool.query('VACUUM ANALYZE usage_hour, usage_day, usage_month, usage_series');
  }
  await buildCubes(database, organizationId);
  const { rows } = await pool.query<{ hours: string; days: string; cubes: string; end_seconds: string }>(
    `SELECT (SELECT count(*) FROM usage_hour WHERE org_id = $1) AS hours, (SELECT count(*) FROM usage_day WHERE org_id = $1) AS days,
      (SELECT count(*) FROM usage_cube WHERE org_id = $1) AS cubes,
      (SELECT extract(epoch FROM max(period_start))::bigint + 86400 FROM usage_day WHERE org_id = $1) AS end_seconds`,
    [organizationId],
  );
  const [found] = rows;
  return {
    ...{ organizationId, hours: Number(found?.hours), days: Number(found?.days), cubes: Number(found?.cubes) },
    endMs: Number(found?.end_seconds) * 1000,
  };
}

/**
 * As aggregators do. The day at the end of the data is today: what is built of it are the hours that are over at the moment
 * that is asked at.
 */
async function buildCubes({ pool }: Database, organizationId: string): Promise<void> {
  const { rows } = await pool.query<{ seconds: string }>(
    'SELECT extract(epoch FROM max(period_start))::bigint::text AS seconds FROM usage_day WHERE org_id = $1',
    [organizationId],
  );
  const upkeep = createUsageUpkeep({ pool, now: () => Number(rows[0]?.seconds) * 1000 + ASKED_AT_MS });
  if ((await upkeep.buildCubes()).built > 0) await pool.query('VACUUM ANALYZE usage_cube, usage_cube_day');
}

async function insertSeries({ pool }: Database, organizationId: string, series: number): Promise<void> {
  await pool.query('INSERT INTO organization (id, name) VALUES ($1, $2)', [organizationId, NAME]);
  const labels = await pool.query<{ id: string }>(
    `INSERT INTO label_set (organization_id, kind, labels, sha256)
      SELECT $1, 'key', jsonb_build_object('team', 'team-' || n), sha256(n::text::bytea) FROM generate_series(1, ${TEAMS}) n RETURNING id`,
    [organizationId],
  );
  await pool.query(
    `INSERT INTO usage_series (hash, org_id, api_key_id, key_label_set_id, model_requested, model_used, provider_used, is_byok, endpoint, modality, extra)
      SELECT sha256(n::text::bytea), $1, md5('key ' || key_no)::uuid, ($2::uuid[])[1 + key_no % ${TEAMS}], 'm', 'vendor/model-' || combination % ${MODELS},
        'vendor', false, 'chat-completions', 'chat', jsonb_build_object('feature', 'feature-' || (n * ${TEAMS} + key_no % ${TEAMS}) % ${FEATURES})
      FROM (SELECT n, n / ${FEATURES_OF_ONE} AS combination, n / ${FEATURES_OF_ONE * MODELS} AS key_no FROM generate_series(0, $3 - 1) n) numbered ORDER BY n`,
    [organizationId, labels.rows.map(({ id }) => id), series],
  );
}

/** Hours in the order in which usage comes. */
async function insertDay({ pool }: Database, organizationId: string, startMs: number): Promise<void> {
  await pool.query(
    `INSERT INTO usage_hour SELECT $1, hour, s.id, 3, 3, 0, 1000 + s.id, 200 + s.id % 77, 10, 0, 5, 0, 0, 0, 0, 0, 0,
        27000000 + s.id * 1000, 27000000 + s.id * 1000, 2700, 300, 3
      FROM generate_series(to_timestamp($2::bigint), to_timestamp($3::bigint), interval '1 hour') hour
      JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM usage_series WHERE org_id = $1) s
        ON (s.n / ${FEATURES_OF_ONE} + extract(epoch FROM hour)::bigint / 3600) % 2 = 0`,
    [organizationId, startMs / 1000, (startMs + DAY_MS - HOUR_MS) / 1000],
  );
}

async function insertAbove({ pool }: Database, to: 'day' | 'month', from: 'hour' | 'day'): Promise<void> {
  const columns = await pool.query<{ name: string }>(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'usage_day' AND ordinal_position > 3 ORDER BY ordinal_position",
  );
  await pool.query(
    `INSERT INTO usage_${to} SELECT org_id, date_trunc('${to}', period_start, 'UTC'), series_id, ${columns.rows.map(({ name }) => `sum(${name})`).join(', ')}
      FROM usage_${from} GROUP BY 1, 2, 3`,
  );
}
