import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type Pool } from 'pg';
import { checkDataFormat } from './data-format';
import { SILENT_LOG, type DatabaseLog } from '../postgres/database-log';
import { prepareTenantRole } from '../tenancy/prepare-tenant-role';

type MigrateOptions = {
  readonly url: string;
  readonly log?: DatabaseLog;
  /** Where the migrations are; this package's own by default. */
  readonly directory?: string;
  /** Goes on although only a later version may use this database: the setting `NEWER_DATA_ALLOWED`. */
  readonly isNewerAllowed?: boolean | undefined;
};

/** The lock of Prisma's own `migrate deploy`: the two never run at once. */
const LOCK_ID = 72707369;

/** This folder is two levels below the package, both as source and as build. */
const OWN_MIGRATIONS = join(__dirname, '..', '..', 'prisma', 'migrations');

/** Exactly Prisma's table, so that `prisma migrate` can take over at any time. */
const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

type Migration = { readonly name: string; readonly sql: string };
type AppliedRow = { readonly migration_name: string; readonly checksum: string; readonly finished_at: Date | null };

/**
 * Brings the schema up to date: what `prisma migrate deploy` does, without its command line and its download; and the
 * role that keeps organizations apart.
 * Returns the names of the migrations it applied. Processes that start together wait for one another. Throws, and changes nothing,
 * where only a later version may use the database.
 */
export async function migrateDatabase({
  url,
  log = SILENT_LOG,
  directory = OWN_MIGRATIONS,
  isNewerAllowed,
}: MigrateOptions): Promise<string[]> {
  const migrations = readMigrations(directory);
  const client = new Client({ connectionString: url, application_name: 'weir-migrate' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_ID]);
    await checkDataFormat(client, { isNewerAllowed, log });
    await client.query(CREATE_TABLE);
    const pending = findPending(migrations, await readApplied(client), log);
    for (const migration of pending) await applyMigration(client, migration);
    const applied = pending.map(({ name }) => name);
    if (applied.length > 0) log.info({ count: applied.length, last: applied.at(-1) }, 'migrations applied');
    await prepareTenantRole(client, log);
    return applied;
  } finally {
    // Ending the session gives the lock back.
    await client.end();
  }
}

/** The names of this version's migrations that the database does not have, or has not finished. */
export async function listPendingMigrations(pool: Pool): Promise<string[]> {
  const { rows: tables } = await pool.query(`SELECT 1 WHERE to_regclass('_prisma_migrations') IS NOT NULL`);
  const { rows } =
    tables.length === 0
      ? { rows: [] }
      : await pool.query<{ name: string }>(
          'SELECT migration_name AS name FROM "_prisma_migrations" WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL',
        );
  const done = new Set(rows.map(({ name }) => name));
  return listMigrations(OWN_MIGRATIONS).filter((name) => !done.has(name));
}

function readMigrations(directory: string): Migration[] {
  return listMigrations(directory).map((name) => ({ name, sql: readFileSync(join(directory, name, 'migration.sql'), 'utf8') }));
}

function listMigrations(directory: string): string[] {
  const folders = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).sort();
}

async function readApplied(client: Client): Promise<AppliedRow[]> {
  const { rows } = await client.query<AppliedRow>(
    'SELECT migration_name, checksum, finished_at FROM "_prisma_migrations" WHERE rolled_back_at IS NULL ORDER BY started_at',
  );
  return rows;
}

function findPending(migrations: readonly Migration[], applied: readonly AppliedRow[], log: DatabaseLog): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of applied) {
    if (row.finished_at === null) {
      throw new Error(
        `migration ${row.migration_name} failed earlier and is not resolved; see its logs in _prisma_migrations, ` +
          'mend the database, then set rolled_back_at of that row',
      );
    }
    const migration = known.get(row.migration_name);
    if (migration === undefined) log.warn({ migration: row.migration_name }, 'the database has a migration this version does not know');
    else if (!checksumsOf(migration.sql).includes(row.checksum))
      throw new Error(`migration ${migration.name} was edited after it had been applied`);
  }
  const done = new Set(applied.map((row) => row.migration_name));
  return migrations.filter(({ name }) => !done.has(name));
}

/** Of the file with either kind of line end: a checkout may change them. The first is the one that is stored. */
function checksumsOf(sql: string): string[] {
  const unix = sql.replace(/\r\n/g, '\n');
  return [unix, unix.replace(/\n/g, '\r\n')].map((text) => createHash('sha256').update(text).digest('hex'));
}

async function applyMigration(client: Client, { name, sql }: Migration): Promise<void> {
  const id = randomUUID();
  await client.query('INSERT INTO "_prisma_migrations" (id, checksum, migration_name) VALUES ($1, $2, $3)', [
    id,
    checksumsOf(sql)[0],
    name,
  ]);
  try {
    // Sent whole, all its statements are one transaction.
    await client.query(sql);
  } catch (error) {
    await client.query('UPDATE "_prisma_migrations" SET logs = $2 WHERE id = $1', [id, String(error)]);
    throw new Error(`migration ${name} failed: ${String(error)}`, { cause: error });
  }
  await client.query('UPDATE "_prisma_migrations" SET finished_at = now(), applied_steps_count = 1 WHERE id = $1', [id]);
}
