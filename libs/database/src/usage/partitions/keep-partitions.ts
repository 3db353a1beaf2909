import { DAY_MS, periodCeiling, periodStart, type Resolution } from '@weir/usage';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { SILENT_LOG, type DatabaseLog } from '../../postgres/database-log';
import { runInTransaction } from '../../postgres/run-in-transaction';
import { readPartitions, type Partition, type PartitionedTable } from './read-partitions';

export type UsageRetention = {
  /** Raw events, by day of admission. */
  readonly eventDays: number;
  /** Hours; days are kept for `dayMonths`, months for ever. */
  readonly hourDays: number;
  readonly dayMonths: number;
};

/** Hours serve queries of 100 days, of which the last 35 may still be restated. */
export const DEFAULT_USAGE_RETENTION: UsageRetention = { eventDays: 45, hourDays: 135, dayMonths: 25 };

type KeepOptions = {
  readonly pool: Pool;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log?: DatabaseLog;
  readonly retention?: UsageRetention;
};

type KeptPartitions = { readonly created: readonly string[]; readonly dropped: readonly string[] };

type Plan = {
  readonly table: PartitionedTable;
  readonly column: string;
  readonly other: string;
  readonly storage: string;
  readonly by: Resolution;
  readonly aheadMs: number;
  readonly keptMs: (retention: UsageRetention) => number;
};

const PLANS: readonly Plan[] = [
  {
    ...{ table: 'usage_event', column: 'admitted_at', other: 'usage_event_other', storage: '' },
    ...{ by: 'day', aheadMs: 3 * DAY_MS, keptMs: ({ eventDays }) => eventDays * DAY_MS },
  },
  {
    ...{ table: 'usage_hour', column: 'period_start', other: 'usage_hour_other', storage: 'WITH (fillfactor = 80)' },
    ...{ by: 'month', aheadMs: 10 * DAY_MS, keptMs: ({ hourDays }) => hourDays * DAY_MS },
  },
];

/** Values of free fields serve events that come late, bounds met serve queries of 100 days. */
const VALUES_KEPT_DAYS = 40;
const BOUNDS_KEPT_DAYS = 135;
const CHECKS_KEPT_DAYS = 400;

/**
 * Makes partitions ahead of time and drops those nothing is kept of any more. Each is a transaction of its own that
 * waits for locks only shortly: what cannot be done now, with a long query running, is done at the next time.
 */
export async function keepPartitions({
  pool,
  now,
  log = SILENT_LOG,
  retention = DEFAULT_USAGE_RETENTION,
}: KeepOptions): Promise<KeptPartitions> {
  const [created, dropped]: [string[], string[]] = [[], []];
  const nowMs = now();
  await forgetCubes(pool, nowMs - retention.hourDays * DAY_MS);
  for (const plan of PLANS) {
    const present = await readPartitions(pool, plan.table);
    for (const partition of listMissing(plan, present, nowMs)) {
      if (await unlessLocked(log, () => createPartition(pool, plan, partition))) created.push(partition.name);
    }
    const cutoffMs = nowMs - plan.keptMs(retention);
    for (const { name } of present.filter(({ endMs }) => endMs <= cutoffMs)) {
      if (await unlessLocked(log, () => dropPartition(pool, plan, name))) dropped.push(name);
    }
    await pool.query(`DELETE FROM ${plan.other} WHERE ${plan.column} < to_timestamp($1::double precision)`, [cutoffMs / 1000]);
  }
  await dropOldRows(pool, nowMs, retention);
  if (created.length + dropped.length > 0) log.info({ created, dropped }, 'partitions of usage were made and dropped');
  return { created, dropped };
}

function listMissing({ table, by, aheadMs }: Plan, present: readonly Partition[], nowMs: number): Partition[] {
  const missing: Partition[] = [];
  for (let startMs = periodStart(by, nowMs); startMs <= nowMs + aheadMs;) {
    const endMs = periodCeiling(by, startMs + 1);
    if (!present.some((one) => one.startMs < endMs && one.endMs > startMs)) {
      const digits = new Date(startMs).toISOString().slice(0, 10).replaceAll('-', '');
      missing.push({ name: `${table}_${by === 'day' ? digits : digits.slice(0, 6)}`, startMs, endMs });
    }
    startMs = endMs;
  }
  return missing;
}

const LOCK_NOT_AVAILABLE = '55P03';

async function unlessLocked(log: DatabaseLog, change: () => Promise<boolean>): Promise<boolean> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
    log.warn({ error }, 'a partition of usage is in use; it is tried again');
    return false;
  }
}

/** One process at a time. Returns false when another has the lock. */
async function tryLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    "SELECT pg_try_advisory_xact_lock(hashtextextended('weir-usage-partitions', 0)) AS locked",
  );
  await client.query("SET LOCAL lock_timeout = '2s'");
  return rows[0]?.locked === true;
}

/** Rows that came before there was a partition for them move in. */
function createPartition(pool: Pool, { table, column, other, storage }: Plan, { name, startMs, endMs }: Partition): Promise<boolean> {
  return runInTransaction(pool, async (client) => {
    if (!(await tryLock(client)) || (await readPartitions(client, table)).some((one) => one.name === name)) return false;
    const [from, to] = [startMs, endMs].map((ms) => `'${new Date(ms).toISOString()}'`);
    await client.query(`LOCK TABLE ${other} IN ACCESS EXCLUSIVE MODE`);
    await client.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS) ${storage}`);
    await client.query(`WITH moved AS (DELETE FROM ${other} WHERE ${column} >= ${from} AND ${column} < ${to} RETURNING *)
      INSERT INTO ${name} SELECT * FROM moved`);
    await client.query(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to})`);
    return true;
  });
}

function dropPartition(pool: Pool, { table }: Plan, name: string): Promise<boolean> {
  return runInTransaction(pool, async (client) => {
    if (!(await tryLock(client)) || !(await readPartitions(client, table)).some((one) => one.name === name)) return false;
    await client.query(`ALTER TABLE ${table} DETACH PARTITION ${name}`);
    await client.query(`DROP TABLE ${name}`);
    return true;
  });
}

/** Before the hours they say the same as: a day that is not called exact is never read from cubes. */
async function forgetCubes(pool: Pool, cutoffMs: number): Promise<void> {
  const bounds = [cutoffMs / 1000];
  await pool.query('DELETE FROM usage_cube_day WHERE day < to_timestamp($1::double precision)', bounds);
  await pool.query('DELETE FROM usage_cube WHERE period_start < to_timestamp($1::double precision)', bounds);
}

async function dropOldRows(pool: Pool, nowMs: number, { eventDays, dayMonths }: UsageRetention): Promise<void> {
  const before = (days: number): number => (nowMs - days * DAY_MS) / 1000;
  const oldest = new Date(nowMs);
  const firstDayMs = Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth() - dayMonths);
  await pool.query('DELETE FROM usage_day WHERE period_start < to_timestamp($1::bigint)', [firstDayMs / 1000]);
  await pool.query('DELETE FROM usage_extra_value WHERE day < to_timestamp($1::double precision)', [
    before(Math.max(VALUES_KEPT_DAYS, eventDays + 1)),
  ]);
  await pool.query('DELETE FROM usage_bound_met WHERE day < to_timestamp($1::double precision)', [before(BOUNDS_KEPT_DAYS)]);
  await pool.query('DELETE FROM usage_check WHERE checked_at < to_timestamp($1::double precision)', [before(CHECKS_KEPT_DAYS)]);
}
