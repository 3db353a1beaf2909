import { setTimeout as delay } from 'node:timers/promises';
import { Client, type Pool } from 'pg';
import type { DatabaseLog } from '../postgres/database-log';
import { isDatabaseUnreachable } from '../postgres/is-database-unreachable';
import { checkDataFormat } from './data-format';
import { listPendingMigrations } from './migrate-database';

const TRY_EVERY_MS = 1_000;
/** A wait is logged when it begins, when its reason changes, and so often. */
const LOG_EVERY_MS = 10_000;

type WaitRules = {
  readonly log: DatabaseLog;
  /** Starts on a database that only a later version may use: the setting `NEWER_DATA_ALLOWED`. */
  readonly isNewerAllowed?: boolean | undefined;
  readonly tryEveryMs?: number;
};

/** Waits until the server takes connections, for as long as it takes. Throws where it refuses who asks. */
export async function waitForPostgres(url: string, { log, tryEveryMs }: Omit<WaitRules, 'isNewerAllowed'>): Promise<void> {
  await waitUntil({ url, log, tryEveryMs }, async () => {
    const client = new Client({ connectionString: url, application_name: 'weir-wait', connectionTimeoutMillis: 5_000 });
    // Also what comes after the connection was refused.
    client.on('error', () => undefined);
    try {
      await client.connect();
    } finally {
      await client.end().catch(() => undefined);
    }
    return null;
  });
}

/**
 * Waits until the database can be asked and has every migration of this version, which another process brings. Throws where only a
 * later version may use it.
 */
export async function waitForDatabase(pool: Pool, { log, isNewerAllowed, tryEveryMs }: WaitRules): Promise<void> {
  const { connectionString: url = '' } = pool.options;
  await waitUntil({ url, log, tryEveryMs }, async () => {
    await checkDataFormat(pool, { isNewerAllowed, log });
    const pending = await listPendingMigrations(pool);
    if (pending.length === 0) return null;
    const lacks = pending.length === 1 ? 'one migration' : `${pending.length} migrations`;
    return `its schema lacks ${lacks} of this version, up to ${pending.at(-1)}: the management-api or migrate.js brings it up to date`;
  });
}

type Waiting = { readonly url: string; readonly log: DatabaseLog; readonly tryEveryMs: number | undefined };

/** `ask` returns what is still missing; null: nothing. */
async function waitUntil({ url, log, tryEveryMs = TRY_EVERY_MS }: Waiting, ask: () => Promise<string | null>): Promise<void> {
  const name = `Postgres at ${describeServer(url)}`;
  let logged = { reason: '', at: -Infinity };
  for (;;) {
    const reason = await ask().catch((error: unknown) => explain(error, name));
    if (reason === null) {
      if (logged.reason !== '') log.info({}, `${name} is there: going on`);
      return;
    }
    if (reason !== logged.reason || performance.now() - logged.at > LOG_EVERY_MS) {
      log.warn({ waitingFor: 'postgres' }, `waiting for ${name}: ${reason}`);
      logged = { reason, at: performance.now() };
    }
    await delay(tryEveryMs);
  }
}

/** Why the database cannot be used yet. Throws what no waiting mends. */
function explain(error: unknown, name: string): string {
  const { code, message } = findCause(error);
  if (code === '3D000') return 'there is no such database yet';
  if (code === '28P01' || code === '28000') throw new Error(`${name} refuses the user of DATABASE_URL: ${message}`, { cause: error });
  if (isDatabaseUnreachable(error) || code === 'EAI_AGAIN') return `it cannot be reached (${code ?? message})`;
  throw error;
}

/** Where a name has several addresses, the error is about each of them, and says nothing itself. */
function findCause(error: unknown): { readonly code: string | undefined; readonly message: string } {
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { code, message } = one as { readonly code?: unknown; readonly message?: unknown };
  return { code: typeof code === 'string' ? code : undefined, message: String(message) };
}

/** Without the user and the password. */
function describeServer(url: string): string {
  if (!URL.canParse(url)) return 'DATABASE_URL';
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port === '' ? '5432' : port}${pathname}`;
}
