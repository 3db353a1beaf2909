import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startTestServer, type TestServer } from '../__fixtures__/test-server';
import { createDatabase } from './create-database';
import { DATA_FORMAT, checkDataFormat } from './data-format';
import { migrateDatabase } from './migrate-database';

const OWN = join(__dirname, '..', '..', 'prisma', 'migrations');
const FIRST = '20261121000000_init';
const ALL = readdirSync(OWN, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

let server: TestServer;
let directory: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'weir-migrations-'));
  await cp(OWN, directory, { recursive: true });
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function addMigration(name: string, sql: string): Promise<void> {
  await cp(join(OWN, FIRST), join(directory, name), { recursive: true });
  await writeFile(join(directory, name, 'migration.sql'), sql);
}

async function queryOnce<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('migrating', () => {
  test('applies everything once, in order, and notes it as Prisma does', async () => {
    const url = await server.createEmpty('fresh');
    expect(await migrateDatabase({ url })).toEqual(ALL);
    expect(await migrateDatabase({ url })).toEqual([]);
    const rows = await queryOnce<Record<string, unknown>>(url, 'SELECT * FROM _prisma_migrations ORDER BY migration_name');
    const checksum = createHash('sha256')
      .update(await readFile(join(OWN, FIRST, 'migration.sql')))
      .digest('hex');
    expect(rows.map((row) => row['migration_name'])).toEqual(ALL);
    expect(rows[0]).toMatchObject({ migration_name: FIRST, checksum, applied_steps_count: 1, logs: null, rolled_back_at: null });
    expect(rows[0]?.['finished_at']).toBeInstanceOf(Date);
  });

  test('processes that start together apply each migration once', async () => {
    const url = await server.createEmpty('together');
    const applied = await Promise.all([1, 2, 3].map(() => migrateDatabase({ url })));
    expect(applied.flat()).toEqual(ALL);
  });

  test('a failing migration leaves nothing behind, is recorded, and blocks the next run', async () => {
    const url = await server.createEmpty('failing');
    await addMigration('20270101000000_bad', 'CREATE TABLE half (id int); SELECT 1/0;');
    await expect(migrateDatabase({ url, directory })).rejects.toThrow(/20270101000000_bad failed: .*division by zero/);
    expect(await queryOnce(url, "SELECT 1 FROM pg_tables WHERE tablename = 'half'")).toEqual([]);
    await expect(migrateDatabase({ url, directory })).rejects.toThrow(/20270101000000_bad failed earlier/);
    await queryOnce(url, "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '20270101000000_bad'");
    await addMigration('20270101000000_bad', 'CREATE TABLE whole (id int);');
    expect(await migrateDatabase({ url, directory })).toEqual(['20270101000000_bad']);
  });

  test('a database that only a later version may use is refused with what to do, and stays as it is, unless that is forced', async () => {
    const url = await server.createEmpty('later');
    await migrateDatabase({ url });
    await queryOnce(url, `INSERT INTO data_format (required) VALUES (${DATA_FORMAT + 1})`);
    await addMigration('20270101000000_next', 'CREATE TABLE next (id int);');

    await expect(migrateDatabase({ url, directory })).rejects.toThrow(/versions of Weir read from format 2 on.* Start the version/);
    expect(await queryOnce(url, "SELECT 1 FROM pg_tables WHERE tablename = 'next'")).toEqual([]);

    const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
    const database = createDatabase({ url });
    try {
      await expect(checkDataFormat(database.pool, { log })).rejects.toThrow(/NEWER_DATA_ALLOWED=true starts all the same/);
      await checkDataFormat(database.pool, { log, isNewerAllowed: true });
      expect(log.warn).toHaveBeenCalledTimes(1);
      // The version that knows the next format, and the one behind it.
      for (const known of [DATA_FORMAT + 1, DATA_FORMAT + 2]) await checkDataFormat(database.pool, { log, known });
      expect(log.warn).toHaveBeenCalledTimes(1);
    } finally {
      await database.close();
    }
    expect(await migrateDatabase({ url, directory, isNewerAllowed: true })).toEqual(['20270101000000_next']);
  });

  test('a database of before there were formats may be used by every version', async () => {
    const database = createDatabase({ url: await server.createEmpty('unversioned') });
    const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
    await checkDataFormat(database.pool, { log });
    await database.close();
    expect(log.warn).not.toHaveBeenCalled();
  });

  test('an edited migration is refused, other line ends are no edit', async () => {
    const url = await server.createEmpty('edited');
    await migrateDatabase({ url, directory });
    const sql = await readFile(join(OWN, FIRST, 'migration.sql'), 'utf8');
    await addMigration(FIRST, sql.replace(/\n/g, '\r\n'));
    expect(await migrateDatabase({ url, directory })).toEqual([]);
    await addMigration(FIRST, `${sql}-- afterthought\n`);
    await expect(migrateDatabase({ url, directory })).rejects.toThrow(/was edited/);
  });
});
