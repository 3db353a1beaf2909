import { planUsageSegments, type UsageQuery, encodeUsage, type UsageRow } from '@weir/usage';
import type { Pool, PoolClient } from 'pg';
import { runInTransaction } from '../postgres/run-in-transaction';
import { buildUsageSql } from '../usage/queries/build-usage-sql';
import { requestOf } from '../usage/queries/dimension-sql';
import { readEdges } from '../usage/edges/read-edges';

/** What the rollups themselves, and events in parts of hours, say without any cube. */
export async function readWithoutCubes(pool: Pool, query: UsageQuery): Promise<unknown> {
  const requests = query.groupBy.map(requestOf);
  const sources = planUsageSegments(query, query.resolution).map((segment) => ({ ...segment, cubeId: null }));
  return runInTransaction(pool, async (client) => {
    const { text, values } = buildUsageSql(query, { requests, sources, edges: await readEdges(client, query), rowsMax: 500_000 });
    return encodeUsage((await client.query<UsageRow>(text, [...values])).rows, query.groupBy);
  });
}

/** Does something else right before a statement of that name, as if it happened to come then. */
export function interruptBefore(pool: Pool, name: string, act: () => Promise<unknown>): Pool {
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect();
    const query = async (statement: unknown, ...more: unknown[]): Promise<unknown> => {
      if ((statement as { name?: string }).name === name) await act();
      return (client.query as (...all: unknown[]) => Promise<unknown>)(statement, ...more);
    };
    return { query, release: (end?: boolean) => client.release(end) } as unknown as PoolClient;
  };
  return { connect, query: pool.query.bind(pool) } as unknown as Pool;
}

/** Whether somebody comes to wait for a lock of this mode. */
export async function waitForLock(pool: Pool, mode: string): Promise<void> {
  for (let waiting = 0; waiting === 0;) {
    const { rows } = await pool.query<{ count: string }>('SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = $1', [mode]);
    waiting = Number(rows[0]?.count);
  }
}

/** Begins to build while somebody changes hours, who is done as soon as the build is seen to wait for that. */
export async function buildBesideWriter<Built>(pool: Pool, build: () => Promise<Built>): Promise<Built> {
  const writer = await pool.connect();
  await writer.query('BEGIN; UPDATE usage_hour SET cost_pico = cost_pico + 1; UPDATE usage_day SET cost_pico = cost_pico + 1');
  const building = build();
  await waitForLock(pool, 'ShareLock');
  await writer.query('COMMIT');
  writer.release();
  return building;
}
