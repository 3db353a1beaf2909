import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@weir/embedded-postgres';
import { makeTestFolder } from '@weir/testing';
import { Client } from 'pg';
import { createDatabase } from '../connection/create-database';
import { migrateDatabase } from '../connection/migrate-database';
import type { TestDatabase } from './test-database';

const MIGRATIONS = join(__dirname, '..', '..', 'prisma', 'migrations');

export type TestServer = TestDatabase & {
  /** The address of one more database on the same server, without a schema. */
  createEmpty(name: string): Promise<string>;
  /** The same with the schema as it was before a migration. */
  createBefore(migration: string, name: string): Promise<string>;
};

/** A real Postgres of this spec alone, for those that make databases or roles of their own; its first database is migrated. */
export async function startTestServer(): Promise<TestServer> {
  const directory = makeTestFolder('database');
  const server = await startEmbeddedPostgres({ directory, settings: { fsync: 'off' } });
  await migrateDatabase({ url: server.url });
  const database = createDatabase({ url: server.url });
  const createEmpty = async (name: string): Promise<string> => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    await client.end();
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    return url.toString();
  };
  return {
    url: server.url,
    database,
    createEmpty,
    createBefore: async (migration, name) => {
      const folder = await mkdtemp(join(directory, 'migrations-'));
      for (const known of await readdir(MIGRATIONS))
        if (known < migration) await cp(join(MIGRATIONS, known), join(folder, known), { recursive: true });
      const url = await createEmpty(name);
      await migrateDatabase({ url, directory: folder });
      return url;
    },
    stop: async () => {
      await database.close();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
