import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, migrateDatabase, type Database } from '@weir/database';
import { startEmbeddedPostgres } from '@weir/embedded-postgres';
import { endWithProcess } from '@weir/testing';

export type BenchDatabase = { readonly database: Database; readonly url: string; readonly pid: number; stop(): Promise<void> };

/** A Postgres of this measurement alone, with its own safe settings, migrated. */
export async function startDatabase(settings: Readonly<Record<string, string>> = {}): Promise<BenchDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-bench-'));
  const server = await startEmbeddedPostgres({ directory, settings });
  const ending = endWithProcess(server.pid); // a measurement that is broken off leaves no server behind
  await migrateDatabase({ url: server.url });
  const database = createDatabase({ url: server.url });
  return {
    database,
    url: server.url,
    pid: server.pid,
    stop: async () => {
      await database.close();
      ending.release();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
