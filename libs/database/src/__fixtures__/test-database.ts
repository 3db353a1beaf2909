import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@weir/embedded-postgres';
import { Client } from 'pg';
import { createDatabase, type Database } from '../create-database';
import { migrateDatabase } from '../migrate-database';

export type TestDatabase = {
  readonly url: string;
  readonly database: Database;
  /** The address of one more database on the same server, without a schema. */
  createEmpty(name: string): Promise<string>;
  stop(): Promise<void>;
};

/** A real Postgres of this spec alone, migrated. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-database-'));
  const server = await startEmbeddedPostgres({ directory, settings: { fsync: 'off' } });
  await migrateDatabase({ url: server.url });
  const database = createDatabase({ url: server.url });
  return {
    url: server.url,
    database,
    createEmpty: async (name) => {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
      await client.end();
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.toString();
    },
    stop: async () => {
      await database.close();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
