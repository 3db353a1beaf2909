import { rm } from 'node:fs/promises';
import { createDatabase, migrateDatabase, type Database } from '@weir/database';
import { startEmbeddedPostgres } from '@weir/embedded-postgres';
import { endWithProcess, makeTestFolder } from '@weir/testing';

export type BenchDatabase = {
  readonly database: Database;
  readonly url: string;
  readonly pid: number;
  /** Stops Postgres and starts it on the same data: nothing is in its memory any more. This one cannot be used after it. */
  restart(): Promise<BenchDatabase>;
  stop(): Promise<void>;
};

type Settings = Readonly<Record<string, string>>;

/** A Postgres of this measurement alone, with its own safe settings, migrated. */
export async function startDatabase(settings: Settings = {}): Promise<BenchDatabase> {
  const started = await startOn(makeTestFolder('bench'), settings);
  await migrateDatabase({ url: started.url });
  return started;
}

async function startOn(directory: string, settings: Settings): Promise<BenchDatabase> {
  const server = await startEmbeddedPostgres({ directory, settings });
  const ending = endWithProcess(server.pid); // a measurement that is broken off leaves no server behind
  const database = createDatabase({ url: server.url });
  const end = async (): Promise<void> => {
    await database.close();
    ending.release();
    await server.stop();
  };
  return {
    database,
    url: server.url,
    pid: server.pid,
    restart: async () => {
      await end();
      return startOn(directory, settings);
    },
    stop: async () => {
      await end();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
