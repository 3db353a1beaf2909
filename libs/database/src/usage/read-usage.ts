import type { UsageResponse } from '@weir/contracts';
import { GatewayError, invariant } from '@weir/errors';
import { findDimension, type DimensionRequest, type UsageQuery } from '@weir/usage';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { buildUsageSql } from './build-usage-sql';
import { encodeUsage, type UsageRow } from './encode-usage';

export type ReadParts = { readonly pool: Pool; readonly now: () => number };

/** More rows than any report shows. */
const ROWS_MAX = 500_000;
const QUERY_CANCELED = '57014';

const AS_OF = 'SELECT floor(extract(epoch FROM max(updated_at)) * 1000)::text AS ms FROM usage_writer';

/** Usage by period and group, exact to the hour, and up to which moment it is complete. */
export async function readUsage({ pool, now }: ReadParts, query: UsageQuery): Promise<UsageResponse> {
  const sql = buildUsageSql(query, query.groupBy.map(getDimension), ROWS_MAX + 1);
  const client = await pool.connect();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = '10s'; SET LOCAL work_mem = '64MB'");
    const asOf = await client.query<{ ms: string | null }>(AS_OF);
    const { rows } = await client.query<UsageRow>(sql.text, [...sql.values]);
    await client.query('COMMIT');
    if (rows.length > ROWS_MAX) throw tooLarge();
    return encodeUsage({ rows, groupBy: query.groupBy, asOfMs: Number(asOf.rows[0]?.ms ?? now()) });
  } catch (error) {
    await endTransaction(client);
    throw error instanceof DatabaseError && error.code === QUERY_CANCELED ? tooLarge() : error;
  } finally {
    client.release();
  }
}

function getDimension(name: string): DimensionRequest {
  const request = findDimension(name);
  invariant(request !== undefined, `${name} was checked to be a dimension`);
  return request;
}

function tooLarge(): GatewayError {
  return new GatewayError(
    'invalid_request',
    'The answer is too large: ask for a shorter range, a coarser `resolution` or less in `group_by`.',
    {
      field: 'group_by',
    },
  );
}

async function endTransaction(client: PoolClient): Promise<void> {
  // A connection that is broken says so here; the error that broke it is the one to tell.
  await client.query('ROLLBACK').catch(() => undefined);
}
