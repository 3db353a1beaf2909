// Brings the database schema up to date and ends: for platforms that do so in a step before services start.
import { loadEnv } from '@weir/config';
import { migrateDatabase, waitForPostgres } from '@weir/database';
import { createLogger } from '@weir/telemetry';
import { migrateEnv } from './env';

async function main(): Promise<void> {
  const env = loadEnv(migrateEnv);
  const log = createLogger({ service: 'migrate', level: env.LOG_LEVEL, format: env.LOG_FORMAT });
  await waitForPostgres(env.DATABASE_URL, { log });
  const applied = await migrateDatabase({ url: env.DATABASE_URL, isNewerAllowed: env.NEWER_DATA_ALLOWED, log });
  log.info({ applied: applied.length }, 'the schema is up to date');
}

main().catch((error: unknown) => {
  process.stderr.write(`the schema could not be brought up to date: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
