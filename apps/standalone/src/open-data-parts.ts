import { readKafkaSecurity } from '@weir/config';
import { createDatabase, migrateDatabase, waitForPostgres, type Database } from '@weir/database';
import { createInProcessUsageBus, createKafkaUsageBus } from '@weir/event-bus';
import type { Logger } from '@weir/telemetry';
import type { DataParts, SharedParts } from './data-parts';
import type { StandaloneEnv } from './env';
import type { RunningPostgres } from './open-postgres';
import { openShared } from './open-shared';
import { reportStep } from './report-step';

type DataOptions = {
  readonly postgres: RunningPostgres;
  /** Absent: Redis where the environment names one, this process otherwise. */
  readonly openShared?: (env: StandaloneEnv, database: Database, log: Logger) => Promise<SharedParts>;
};

/** Brings the schema up to date and opens what is kept there and beside it. */
export async function openDataParts(env: StandaloneEnv, log: Logger, options: DataOptions): Promise<DataParts> {
  const { postgres, openShared: open = openShared } = options;
  if (env.DATABASE_URL !== undefined) await waitForPostgres(env.DATABASE_URL, { log });
  reportStep('Bringing the database schema up to date …');
  await migrateDatabase({ url: postgres.url, isNewerAllowed: env.NEWER_DATA_ALLOWED, log }).catch(async (error: unknown) => {
    await postgres.stop();
    throw error;
  });
  const database = createDatabase({ url: postgres.url, poolMax: env.DATABASE_POOL_MAX, log });
  const shared = await open(env, database, log).catch(async (error: unknown) => {
    await database.close();
    await postgres.stop();
    throw error;
  });
  const bus =
    env.KAFKA_BROKERS === undefined
      ? createInProcessUsageBus({ log })
      : createKafkaUsageBus({
          brokers: env.KAFKA_BROKERS,
          security: readKafkaSecurity(env),
          envelope: env.USAGE_EVENT_ENVELOPE,
          clientId: 'weir-standalone',
          log,
        });
  return {
    ...shared,
    url: postgres.url,
    database,
    bus,
    close: async () => {
      await shared.close();
      await database.close();
      await postgres.stop();
    },
  };
}
