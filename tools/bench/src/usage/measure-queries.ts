import { randomUUID } from 'node:crypto';
import { createUsageStore, type Database } from '@weir/database';
import { DAY_MS, HOUR_MS, type UsageQuery } from '@weir/usage';
import { readCpuTime } from '../measure/cpu-time';
import { startDatabase } from './start-database';

export type QueryOptions = { readonly series: number; readonly days: number; readonly repeat: number };

type Question = {
  readonly name: string;
  readonly days: number;
  readonly resolution: UsageQuery['resolution'];
  readonly groupBy: readonly string[];
};

const QUESTIONS: readonly Question[] = [
  { name: '24 hours, by the hour', days: 1, resolution: 'hour', groupBy: [] },
  { name: '24 hours, by the hour, extra field', days: 1, resolution: 'hour', groupBy: ['extra.feature'] },
  { name: '100 days, by day, extra field and label', days: 100, resolution: 'day', groupBy: ['extra.feature', 'api_key_label.team'] },
  { name: '100 days, by the hour, model', days: 100, resolution: 'hour', groupBy: ['model_used'] },
  { name: '100 days, by the hour, extra field', days: 100, resolution: 'hour', groupBy: ['extra.feature'] },
  {
    name: '100 days, by month, extra field, key and model',
    days: 100,
    resolution: 'month',
    groupBy: ['extra.feature', 'api_key_id', 'model_used'],
  },
];

/** Asks what acceptance asks, of hours, days and months generated in Postgres. The first answer is cold, the others warm. */
export async function measureQueries({ series, days, repeat }: QueryOptions): Promise<void> {
  const { database, pid, stop } = await startDatabase({ fsync: 'off', shared_buffers: '512MB', max_wal_size: '4GB' });
  try {
    const organizationId = randomUUID();
    const endMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const startedAt = performance.now();
    await generate(database, { organizationId, series, startMs: endMs - days * DAY_MS, endMs });
    const { rows } = await database.pool.query<{ hours: string; days: string }>(
      'SELECT (SELECT count(*) FROM usage_hour)::text AS hours, (SELECT count(*) FROM usage_day)::text AS days',
    );
    console.log(
      `${rows[0]?.hours} hourly and ${rows[0]?.days} daily rows of ${series} series, made in ${seconds(performance.now() - startedAt)} s`,
    );
    for (const question of QUESTIONS.filter((one) => one.days <= days)) {
      const ask = (): Promise<Asked> =>
        askOnce({ database, pid }, { ...question, organizationId, startMs: endMs - question.days * DAY_MS, endMs });
      const answers: Asked[] = [];
      for (let at = 0; at < repeat; at += 1) answers.push(await ask());
      const [first, ...later] = answers;
      const best = later.reduce((least, one) => (one.elapsed < least.elapsed ? one : least), first ?? (await ask()));
      console.log(
        `${question.name}: first ${seconds(first?.elapsed ?? 0)} s, best ${seconds(best.elapsed)} s, of it CPU ${seconds(best.own)} s here and ${seconds(best.postgres)} s in Postgres`,
      );
    }
  } finally {
    await stop();
  }
}

/** All in milliseconds. */
type Asked = { readonly elapsed: number; readonly own: number; readonly postgres: number };

async function askOnce({ database, pid }: { readonly database: Database; readonly pid: number }, question: UsageQuery): Promise<Asked> {
  // A store of its own each time: it would know the answer.
  const store = createUsageStore({ pool: database.pool, now: Date.now });
  const { organizationId, startMs, endMs, resolution, groupBy } = question;
  const [own, before, askedAt] = [process.cpuUsage(), readCpuTime(pid), performance.now()];
  // An answer that is too large is an answer too, and costs as much.
  await store.readUsage({ organizationId, startMs, endMs, resolution, groupBy }).catch((error: unknown) => console.log(String(error)));
  const [used, after] = [process.cpuUsage(own), readCpuTime(pid)];
  return {
    elapsed: performance.now() - askedAt,
    own: (used.user + used.system) / 1000,
    postgres: ((after?.childrenMicroseconds ?? 0) - (before?.childrenMicroseconds ?? 0)) / 1000,
  };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2);
}

type Generated = { readonly organizationId: string; readonly series: number; readonly startMs: number; readonly endMs: number };

const MEASURES = 19;

async function generate({ pool }: Database, { organizationId, series, startMs, endMs }: Generated): Promise<void> {
  await pool.query('INSERT INTO organization (id, name) VALUES ($1, $2)', [organizationId, 'Bench']);
  const labels = await pool.query<{ id: string }>(
    `INSERT INTO label_set (organization_id, kind, labels, sha256)
      SELECT $1, 'key', jsonb_build_object('team', 'team-' || n), sha256(n::text::bytea) FROM generate_series(1, 20) n RETURNING id`,
    [organizationId],
  );
  await pool.query(
    `INSERT INTO usage_series (hash, org_id, api_key_id, key_label_set_id, model_requested, model_used, provider_used, is_byok, endpoint, modality, extra)
      SELECT sha256(n::text::bytea), $1, gen_random_uuid(), ($2::uuid[])[1 + n % 20], 'm', 'vendor/model-' || n % 25, 'vendor', false, 'chat-completions', 'chat',
        jsonb_build_object('feature', 'feature-' || n % 200) FROM generate_series(1, $3) n`,
    [organizationId, labels.rows.map(({ id }) => id), series],
  );
  const sums = Array.from({ length: MEASURES }, (_, at) => `${at + 1}`).join(', ');
  // Half of all hours, in the order in which usage comes.
  await pool.query(
    `INSERT INTO usage_hour SELECT $1, hour, s.id, ${sums} FROM generate_series(to_timestamp($2::bigint), to_timestamp($3::bigint), interval '1 hour') hour
      JOIN usage_series s ON s.org_id = $1 AND (s.id + extract(epoch FROM hour)::bigint / 3600) % 2 = 0`,
    [organizationId, startMs / 1000, (endMs - HOUR_MS) / 1000],
  );
  for (const [to, from] of [
    ['day', 'hour'],
    ['month', 'day'],
  ]) {
    const columns = await pool.query<{ name: string }>(
      "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'usage_day' AND ordinal_position > 3 ORDER BY ordinal_position",
    );
    await pool.query(
      `INSERT INTO usage_${to} SELECT org_id, date_trunc('${to}', period_start, 'UTC'), series_id, ${columns.rows.map(({ name }) => `sum(${name})`).join(', ')}
        FROM usage_${from} GROUP BY 1, 2, 3`,
    );
  }
  await pool.query('VACUUM ANALYZE usage_hour, usage_day, usage_month, usage_series');
}
