import { Pool } from 'pg';
import { SILENT_LOG, type DatabaseLog } from './database-log';
import { PrismaClient } from './generated/prisma/client';
import { SerialPrismaPg } from './serial-prisma-pg';
import { createOrganizationDatabase, type OrganizationDatabase } from './tenancy/organization-database';
import { rowSecurityOf, type RowSecurity } from './tenancy/row-security';

export type DatabaseOptions = {
  readonly url: string;
  readonly log?: DatabaseLog;
  /** Connections of this process, over both doors; 10 unless told. */
  readonly poolMax?: number;
};

/** The door for requests of an organization: they reach its own rows only. */
export type OrganizationDatabases = { asOrganization(organizationId: string): OrganizationDatabase };

/**
 * Three doors to one set of connections. For what acts for all organizations, as the owner of the tables: `prisma` for
 * the control plane, `pool` with prepared statements for what is hot.
 */
export type Database = OrganizationDatabases & {
  readonly pool: Pool;
  readonly prisma: PrismaClient;
  readonly rowSecurity: RowSecurity;
  close(): Promise<void>;
};

const CONNECT_TIMEOUT_MS = 5_000;
/** Until a connection is free, and from then on until the end, unless a transaction says otherwise. Milliseconds. */
const TRANSACTION_OPTIONS = { maxWait: 5_000, timeout: 15_000 };

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
  // one that is lost between two statements of a transaction to no one but itself.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', (error) => log.warn({ error }, 'lost a database connection')));
  const prisma = new PrismaClient({ adapter: new SerialPrismaPg(pool), transactionOptions: TRANSACTION_OPTIONS });
  return {
    pool,
    prisma,
    asOrganization: (organizationId) => createOrganizationDatabase({ pool, prisma }, organizationId),
    rowSecurity: rowSecurityOf(pool, log),
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
