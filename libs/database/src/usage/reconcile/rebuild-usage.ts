import { periodCeiling, periodStart, MEASURE_COLUMNS } from '@weir/usage';
import { GatewayError } from '@weir/errors';
import type { Pool, PoolClient } from 'pg';
import { SILENT_LOG, type DatabaseLog } from '../../postgres/database-log';
import { runInTransaction } from '../../postgres/run-in-transaction';
import { createUsageBounds, type UsageBounds } from '../bounds/create-usage-bounds';
import { foldEvents, type FoldingBounds } from '../edges/fold-events';
import { readKeptSince, type PartitionedTable } from '../partitions/read-partitions';
import { createSeriesDirectory } from '../rollups/series-directory';
import { ROLLUP_TABLES, writeIncrements } from '../rollups/write-rollups';

type RebuildOptions = {
  readonly pool: Pool;
  readonly organizationId: string;
  /** UTC epoch milliseconds; start of what is to be built anew. */
  readonly periodStartMs: number;
  readonly log?: DatabaseLog;
};

/**
 * Builds one hour of an organization anew from its raw events, and its day, month and monthly spend from what is below
 * each, in one transaction. Aggregators wait meanwhile: what they have not committed is in neither, and comes on top.
 * Throws `conflict`, here and below, where what it would be built from is no longer kept.
 */
export async function rebuildHour({ pool, organizationId, periodStartMs, log = SILENT_LOG }: RebuildOptions): Promise<void> {
  await runInTransaction(pool, async (client) => {
    await lockRollups(client);
    await checkKept(client, 'usage_event', periodStartMs);
    const hour = { organizationId, startMs: periodStartMs, endMs: periodCeiling('hour', periodStartMs + 1) };
    const { hours, series } = await foldEvents(client, hour, rememberBounds(createUsageBounds()));
    const seriesIds = await createSeriesDirectory().resolve(client, series);
    await client.query('DELETE FROM usage_hour WHERE org_id = $1 AND period_start = to_timestamp($2::bigint)', [
      organizationId,
      periodStartMs / 1000,
    ]);
    await writeIncrements(client, { resolution: 'hour', increments: hours, seriesIds });
    await rebuildAbove(client, organizationId, periodStartMs);
  });
  log.warn({ organizationId, hour: new Date(periodStartMs).toISOString() }, 'an hour of usage was built anew from its events');
}

/** The same from the hours up: for a day or month that is not the sum of what is below it. */
export async function rebuildDay({ pool, organizationId, periodStartMs, log = SILENT_LOG }: RebuildOptions): Promise<void> {
  await runInTransaction(pool, async (client) => {
    await lockRollups(client);
    await rebuildAbove(client, organizationId, periodStartMs);
  });
  log.warn({ organizationId, day: new Date(periodStartMs).toISOString() }, 'a day of usage was built anew from its hours');
}

/** A month from its days, and what limits start from. */
export async function rebuildMonth({ pool, organizationId, periodStartMs, log = SILENT_LOG }: RebuildOptions): Promise<void> {
  await runInTransaction(pool, async (client) => {
    await lockRollups(client);
    await rebuildFrom(client, organizationId, { from: 'day', to: 'month', startMs: periodStartMs });
    await rebuildSpend(client, organizationId, periodStartMs);
  });
  log.warn({ organizationId, month: new Date(periodStartMs).toISOString() }, 'a month of usage was built anew from its days');
}

/** In the order in which aggregators take them. */
async function lockRollups(client: PoolClient): Promise<void> {
  await client.query('LOCK TABLE usage_hour, usage_day, usage_month, spend_month IN SHARE ROW EXCLUSIVE MODE');
}

/** Built anew from less than it was counted from, a period would lose what was used. */
async function checkKept(client: PoolClient, table: PartitionedTable, startMs: number): Promise<void> {
  if (startMs < (await readKeptSince(client, table))) throw refuseLoss(startMs);
}

async function checkDaysKept(client: PoolClient, bounds: readonly unknown[]): Promise<void> {
  const { rows } = await client.query<{ lost: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM usage_month WHERE org_id = $1 AND period_start = to_timestamp($2::bigint)) AND NOT EXISTS (SELECT 1 FROM usage_day
      WHERE org_id = $1 AND period_start >= to_timestamp($2::bigint) AND period_start < to_timestamp($3::bigint)) AS lost`,
    [...bounds],
  );
  if (rows[0]?.lost === true) throw refuseLoss(Number(bounds[1]) * 1000);
}

function refuseLoss(startMs: number): GatewayError {
  const period = new Date(startMs).toISOString();
  return new GatewayError('conflict', `What was counted into the period of ${period} is no longer kept, so it cannot be built anew.`);
}

async function rebuildAbove(client: PoolClient, organizationId: string, atMs: number): Promise<void> {
  await checkKept(client, 'usage_hour', periodStart('day', atMs));
  await rebuildFrom(client, organizationId, { from: 'hour', to: 'day', startMs: periodStart('day', atMs) });
  const monthMs = periodStart('month', atMs);
  await rebuildFrom(client, organizationId, { from: 'day', to: 'month', startMs: monthMs });
  await rebuildSpend(client, organizationId, monthMs);
}

type Level = { readonly from: 'hour' | 'day'; readonly to: 'day' | 'month'; readonly startMs: number };

async function rebuildFrom(client: PoolClient, organizationId: string, { from, to, startMs }: Level): Promise<void> {
  const columns = Object.keys(MEASURE_COLUMNS);
  const bounds = [organizationId, startMs / 1000, periodCeiling(to, startMs + 1) / 1000];
  if (from === 'day') await checkDaysKept(client, bounds);
  await client.query(`DELETE FROM ${ROLLUP_TABLES[to]} WHERE org_id = $1 AND period_start = to_timestamp($2::bigint)`, bounds.slice(0, 2));
  await client.query(
    `INSERT INTO ${ROLLUP_TABLES[to]} (org_id, period_start, series_id, ${columns.join(', ')})
      SELECT org_id, to_timestamp($2::bigint), series_id, ${columns.map((column) => `sum(${column})`).join(', ')} FROM ${ROLLUP_TABLES[from]}
      WHERE org_id = $1 AND period_start >= to_timestamp($2::bigint) AND period_start < to_timestamp($3::bigint) GROUP BY org_id, series_id`,
    bounds,
  );
}

/** A member may be in several organizations and a key of one is no one else's: each scope is summed wherever it was used. */
const SCOPES = `SELECT 'organization' AS scope, $1::text AS scope_id, m.cost_pico, m.requests FROM mine m
  UNION ALL SELECT 'key', m.api_key_id::text, m.cost_pico, m.requests FROM mine m
  UNION ALL SELECT 'group', m.group_id::text, m.cost_pico, m.requests FROM mine m WHERE m.group_id IS NOT NULL
  UNION ALL SELECT 'group_member', m.group_id || '/' || m.user_id, m.cost_pico, m.requests FROM mine m WHERE m.group_id IS NOT NULL AND m.user_id IS NOT NULL
  UNION ALL SELECT 'member', s.user_id::text, u.cost_pico, u.requests FROM usage_month u JOIN usage_series s ON s.id = u.series_id
    WHERE u.period_start = to_timestamp($2::bigint) AND s.user_id IN (SELECT user_id FROM mine)`;

const REBUILD_SPEND = `WITH mine AS (
    SELECT s.api_key_id, s.group_id, s.user_id, u.cost_pico, u.requests FROM usage_month u JOIN usage_series s ON s.id = u.series_id
    WHERE u.org_id = $1::uuid AND u.period_start = to_timestamp($2::bigint)
  )
  INSERT INTO spend_month (scope, scope_id, month, cost_pico, requests, version)
  SELECT scope, scope_id, to_timestamp($2::bigint), sum(cost_pico), sum(requests), 1 FROM (${SCOPES}) scopes GROUP BY scope, scope_id ORDER BY scope, scope_id
  ON CONFLICT (scope, scope_id, month) DO UPDATE SET cost_pico = excluded.cost_pico, requests = excluded.requests,
    version = spend_month.version + 1, updated_at = now()`;

async function rebuildSpend(client: PoolClient, organizationId: string, monthMs: number): Promise<void> {
  await client.query(REBUILD_SPEND, [organizationId, monthMs / 1000]);
}

/** As when events are counted: what is decided for the first of them holds for the next. */
function rememberBounds(bounds: UsageBounds): FoldingBounds {
  return {
    open: async (client, events) => {
      const opened = await bounds.open(client, events);
      opened.remember();
      return opened;
    },
  };
}
