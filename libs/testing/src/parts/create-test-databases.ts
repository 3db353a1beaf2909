import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { migrateDatabase, TENANT_PRIVILEGES } from '@weir/database';
import { Client } from 'pg';

type TestDatabases = { createDatabase(): Promise<string>; stop(): Promise<void> };

/** Any number no one else locks. */
const TEMPLATE_LOCK = 5_714_090;

/** Makes databases by copying a template, which has gone through the migrations once. */
export function createTestDatabases(serverUrl: string): TestDatabases {
  const made: string[] = [];
  return {
    createDatabase: () =>
      withClient(serverUrl, async (client) => {
        const template = await ensureTemplate(client, serverUrl);
        const name = `weir_test_${process.pid}_${randomBytes(6).toString('hex')}`;
        // Page by page through the log, which is the default, is for servers with work to do: it takes three times as long.
        await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
        made.push(name);
        return withDatabase(serverUrl, name);
      }),
    stop: () =>
      withClient(serverUrl, async (client) => {
        for (const name of made.splice(0)) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/** Named after the migrations it went through and the privileges it gives: when they change, there is another template. */
async function ensureTemplate(client: Client, serverUrl: string): Promise<string> {
  const name = `weir_template_${hashMigrations()}`;
  await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await createTemplate(client, { name, serverUrl });
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
  return name;
}

async function createTemplate(client: Client, { name, serverUrl }: { name: string; serverUrl: string }): Promise<void> {
  const draft = `weir_draft_${randomBytes(6).toString('hex')}`;
  await client.query(`CREATE DATABASE ${draft} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`);
  await migrateDatabase({ url: withDatabase(serverUrl, draft) });
  await renameDatabase(client, draft, name);
}

/** A session that has said goodbye may take a moment to be gone, and a database in use cannot be renamed. */
async function renameDatabase(client: Client, from: string, to: string): Promise<void> {
  await client.query('SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity WHERE datname = $1', [from]);
  await client.query(`ALTER DATABASE ${from} RENAME TO ${to}`);
}

/** Drops the databases of test processes that were killed. Only for a server of this machine: it asks by process id. */
export async function dropAbandonedDatabases(serverUrl: string): Promise<void> {
  await withClient(serverUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]); // drafts are only made under it; ends with the session
    const { rows } = await client.query<{ datname: string }>("SELECT datname FROM pg_database WHERE datname ~ '^weir_(test|draft)_'");
    for (const { datname } of rows) {
      const pid = Number(/^weir_test_(\d+)_/.exec(datname)?.[1] ?? 0);
      if (pid === 0 || !isAlive(pid)) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
    }
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function hashMigrations(): string {
  const folder = join(dirname(createRequire(__filename).resolve('@weir/database/package.json')), 'prisma', 'migrations');
  const hash = createHash('sha256').update(JSON.stringify(TENANT_PRIVILEGES));
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.endsWith('.sql')) hash.update(name).update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.toString();
}

async function withClient<Answer>(url: string, run: (client: Client) => Promise<Answer>): Promise<Answer> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
