import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { SILENT_LOG, type DatabaseLog } from './database-log';
import { PrismaClient } from './generated/prisma/client';

export type DatabaseOptions = {
  readonly url: string;
  readonly log?: DatabaseLog;
  /** Connections of this process, over both doors; 10 unless told. */
  readonly poolMax?: number;
};

/**
 * Two doors to one set of connections: `prisma` for the control plane, `pool` with prepared statements for what is hot.
 */
export type Database = {
  readonly pool: Pool;
  readonly prisma: PrismaClient;
  close(): Promise<void>;
};

const CONNECT_TIMEOUT_MS = 5_000;

/** Connects lazily: a database that is down fails queries, not the start. */
export function createDatabase({ url, log = SILENT_LOG, poolMax = 10 }: DatabaseOptions): Database {
  const pool = new Pool({
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'weir',
  });
  // A connection that the server closes is news, not a reason to end the process: idle ones are told to the pool, and
  // one that is lost between two statements of a transaction to nobody but itself.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', (error) => log.warn({ error }, 'lost a database connection')));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    pool,
    prisma,
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
