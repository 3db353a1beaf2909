import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, migrateDatabase, type Database } from '@weir/database';
import { startEmbeddedPostgres } from '@weir/embedded-postgres';

export type BenchDatabase = { readonly database: Database; readonly pid: number; stop(): Promise<void> };

/** A Postgres of this measurement alone, with its own safe settings, migrated. */
export async function startDatabase(settings: Readonly<Record<string, string>> = {}): Promise<BenchDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-bench-'));
  const server = await startEmbeddedPostgres({ directory, settings });
  await migrateDatabase({ url: server.url });
  const database = createDatabase({ url: server.url });
  return {
    database,
    pid: server.pid,
    stop: async () => {
      await database.close();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
