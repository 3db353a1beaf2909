import type { Pool, PoolClient } from 'pg';

export type PartitionedTable = 'usage_event' | 'usage_hour';

/** Half-open, UTC epoch milliseconds; the first one may begin at -Infinity. */
export type Partition = { readonly name: string; readonly startMs: number; readonly endMs: number };

const READ_PARTITIONS = `SELECT child.relname AS name, pg_get_expr(child.relpartbound, child.oid) AS bounds
  FROM pg_inherits i JOIN pg_class child ON child.oid = i.inhrelid WHERE i.inhparent = $1::regclass ORDER BY child.relname`;

const BOUNDS = /FROM \((?:MINVALUE|'([^']+)')\) TO \('([^']+)'\)/;

/** All but the one for what has no other. */
export async function readPartitions(client: Pool | PoolClient, table: PartitionedTable): Promise<Partition[]> {
  const { rows } = await client.query<{ name: string; bounds: string }>(READ_PARTITIONS, [table]);
  return rows.flatMap(({ name, bounds }) => {
    const found = BOUNDS.exec(bounds);
    if (found?.[2] === undefined) return [];
    return [{ name, startMs: found[1] === undefined ? -Infinity : parseInstant(found[1]), endMs: parseInstant(found[2]) }];
  });
}

/** Since when everything is kept. */
export async function readKeptSince(client: Pool | PoolClient, table: PartitionedTable): Promise<number> {
  return Math.min(Infinity, ...(await readPartitions(client, table)).map(({ startMs }) => startMs));
}

/** As Postgres prints it in whatever time zone the session has: `2026-12-01 00:00:00+00`, `… 05:30:00+05:30`. */
function parseInstant(text: string): number {
  return Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
}
