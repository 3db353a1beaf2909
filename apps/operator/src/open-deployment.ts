import { createKeyPeppers, createMemoryChangeNotices, type ChangeNotices, type KeyPeppers } from '@weir/access';
import { createFailPoint } from '@weir/config';
import { createDatabase, migrateDatabase, SILENT_LOG } from '@weir/database';
import { startEmbeddedPostgres } from '@weir/embedded-postgres';
import { createOperatorActions } from '@weir/management-api';
import { createRedis, createRedisChangeNotices } from '@weir/redis-stores';
import { importedModelsPath, openSecrets, readImportedModels, readPeppers, tryHoldDataDirectory } from '@weir/standalone';
import type { Logger } from '@weir/telemetry';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenDeployment } from './commands/command';
import type { OperatorEnv } from './env';
import { nameOperator } from './name-operator';

export type Deployment = OpenDeployment & { close(): Promise<void> };

/**
 * Opens the database the gateway works on: `DATABASE_URL`, or the standalone's own, which is joined while the gateway
 * runs and started for as long as the command takes while it does not. The schema is brought up to date first.
 */
export async function openDeployment(env: OperatorEnv, log: Logger): Promise<Deployment> {
  const peppers = findPeppers(env);
  const postgres = await openPostgres(env);
  try {
    await migrateDatabase({ url: postgres.url, isNewerAllowed: env.NEWER_DATA_ALLOWED, log }).catch(explainDatabase);
    const database = createDatabase({ url: postgres.url, poolMax: 2, log: SILENT_LOG });
    const notices = openNotices(env, log);
    const parts = { database, changeNotices: notices.changeNotices, peppers, now: Date.now, log, failPoint: createFailPoint(env) };
    const actions = createOperatorActions(parts, nameOperator());
    return {
      database,
      actions,
      isBalanceRequired: env.BALANCE_REQUIRED,
      peppers,
      importedModels: env.CATALOG ?? readImportedModels(importedModelsPath(env.DATA_DIR)),
      operator: nameOperator(),
      fetchRules: { ports: env.FETCH_PORTS, networks: env.FETCH_PRIVATE_NETWORKS },
      notify: () => notices.changeNotices.notify(),
      readSealingKey: () => readSealingKey(env),
      close: async () => {
        notices.close();
        await database.close();
        await postgres.close();
      },
    };
  } catch (error) {
    await postgres.close();
    throw error;
  }
}

/** A wrong pepper would make keys that open nothing, so none is ever made up here for a database of somebody's own. */
function findPeppers({ KEY_PEPPER, KEY_PEPPER_PREVIOUS, DATABASE_URL, DATA_DIR }: OperatorEnv): KeyPeppers {
  if (KEY_PEPPER !== undefined) return createKeyPeppers(KEY_PEPPER, KEY_PEPPER_PREVIOUS);
  if (existsSync(join(DATA_DIR, 'secrets.json'))) return readPeppers(openSecrets(DATA_DIR));
  throw new Error(
    DATABASE_URL === undefined
      ? `There is no gateway in ${DATA_DIR}. Start one there first (npm start), or set DATA_DIR, or DATABASE_URL and KEY_PEPPER.`
      : 'Set KEY_PEPPER to the value the gateway has, or DATA_DIR to the directory of the standalone.',
  );
}

/** In front of what the standalone keeps, which goes on opening what it sealed. */
function readSealingKey({ SEALING_KEY, DATA_DIR }: OperatorEnv): string {
  if (existsSync(join(DATA_DIR, 'secrets.json'))) return openSecrets(DATA_DIR, { SEALING_KEY }).sealingKey;
  if (SEALING_KEY !== undefined) return SEALING_KEY;
  throw new Error('Set SEALING_KEY to the value the gateway has.');
}

async function openPostgres({ DATABASE_URL, DATA_DIR, NO_EMBEDDED }: OperatorEnv): Promise<{ url: string; close(): Promise<void> }> {
  if (DATABASE_URL !== undefined) return { url: DATABASE_URL, close: () => Promise.resolve() };
  if (NO_EMBEDDED) throw new Error('NO_EMBEDDED is set: set DATABASE_URL to the Postgres of the gateway; none is started here.');
  // Held as a gateway holds it, so that none starts on a server that ends with this command.
  const release = tryHoldDataDirectory(DATA_DIR);
  try {
    const server = await startEmbeddedPostgres({ directory: join(DATA_DIR, 'postgres') });
    return {
      url: server.url,
      close: async () => {
        if (release !== undefined) await server.stop();
        release?.();
      },
    };
  } catch (error) {
    release?.();
    throw error;
  }
}

/** Errors of sockets say nothing of what was at the other end. */
function explainDatabase(cause: unknown): never {
  const { code, message } = cause as { code?: unknown; message?: string };
  if (typeof code !== 'string' || !/^E[A-Z_]+$/.test(code)) throw cause;
  throw new Error(`Postgres cannot be reached at DATABASE_URL (${message === undefined || message === '' ? code : message}).`, { cause });
}

function openNotices({ REDIS_URL }: OperatorEnv, log: Logger): { changeNotices: ChangeNotices; close(): void } {
  if (REDIS_URL === undefined) return { changeNotices: createMemoryChangeNotices(), close: () => undefined };
  const redis = createRedis(REDIS_URL, log);
  return { changeNotices: createRedisChangeNotices(redis, redis), close: () => redis.disconnect() };
}
