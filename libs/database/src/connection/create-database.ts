import { Pool } from 'pg';
import { SILENT_LOG, type DatabaseLog } from '../postgres/database-log';
import { PrismaClient } from '../generated/prisma/client';
import { SerialPrismaPg } from '../postgres/serial-prisma-pg';
import { createOrganizationDatabase, type OrganizationDatabase } from '../tenancy/organization-database';
import { rowSecurityOf, type RowSecurity } from '../tenancy/row-security';

type DatabaseOptions = {
  readonly url: string;
  readonly log?: DatabaseLog;
  /** The most connections of this process, for all uses together; 10 by default. */
  readonly poolMax?: number;
};

/** The database as requests of one organization see it: they reach its own rows only. */
export type OrganizationDatabases = { asOrganization(organizationId: string): OrganizationDatabase };

/**
 * Three interfaces to one pool of connections: `asOrganization` for requests of one organization; and, as the owner of the
 * tables, for what acts for all organizations, `prisma` on the control plane and `pool` with prepared statements on hot paths.
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
  // A connection that the server closes must not end the process: an idle one emits its error on the pool, and one that is
  // lost between two statements of a transaction emits it on the client only.
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
