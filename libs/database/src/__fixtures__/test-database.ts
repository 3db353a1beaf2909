import { getPostgres } from '@weir/testing';
import { createDatabase, type Database } from '../connection/create-database';

export type TestDatabase = {
  readonly url: string;
  readonly database: Database;
  stop(): Promise<void>;
};

/** A database of this spec alone, migrated, on the server that all specs share. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const postgres = await getPostgres();
  const url = await postgres.createDatabase();
  const database = createDatabase({ url });
  return {
    url,
    database,
    stop: async () => {
      await database.close();
      await postgres.stop();
    },
  };
}
