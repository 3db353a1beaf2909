import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { Prisma, PrismaClient } from '../generated/prisma/client';
import { endTransaction } from '../postgres/run-in-transaction';
import { beginAsOrganization, rowSecurityOf } from './row-security';
import { enterSql } from './tenant-role';

/** What takes one statement: all connections, one of them, or those of one organization. */
export type Queryable = { query<Row extends QueryResultRow>(statement: QueryConfig): Promise<QueryResult<Row>> };

/**
 * One organization's own rows and nothing else: Postgres keeps to them, whatever a query forgets to say. A row of
 * another organization is not there to be read or changed, and cannot be written (SQLSTATE 42501).
 */
export type OrganizationDatabase = Queryable & {
  /** All of `work` in one transaction, which may take 15 seconds unless `timeoutMs` says otherwise. */
  transact<Result>(work: (tx: Prisma.TransactionClient) => Promise<Result>, options?: { readonly timeoutMs: number }): Promise<Result>;
  /** The same on a plain connection, for statements that only make sense together. */
  run<Result>(work: (client: PoolClient) => Promise<Result>, begin?: string): Promise<Result>;
  /** A connection on which `begin` has begun a transaction. The caller ends the transaction and releases the connection. */
  begin(begin: string): Promise<PoolClient>;
};

export function createOrganizationDatabase(
  { pool, prisma }: { readonly pool: Pool; readonly prisma: PrismaClient },
  organizationId: string,
): OrganizationDatabase {
  return {
    transact: async (work, options) => {
      const isInForce = await rowSecurityOf(pool).check();
      const timing = options === undefined ? {} : { timeout: options.timeoutMs };
      return prisma.$transaction(async (tx) => {
        if (isInForce) await tx.$executeRawUnsafe(enterSql(organizationId));
        return work(tx);
      }, timing);
    },
    run: (work, begin) => runAsOrganization(pool, { organizationId, ...(begin === undefined ? {} : { begin }) }, work),
    begin: (begin) => beginAsOrganization(pool, organizationId, begin),
    query: <Row extends QueryResultRow>(statement: QueryConfig) =>
      runAsOrganization(pool, { organizationId }, (client) => client.query<Row>(statement)),
  };
}

/** Runs `work` in one transaction that reaches the rows of one organization only. */
export async function runAsOrganization<Result>(
  pool: Pool,
  { organizationId, begin = 'BEGIN' }: { readonly organizationId: string; readonly begin?: string },
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  return endTransaction(await beginAsOrganization(pool, organizationId, begin), work);
}
