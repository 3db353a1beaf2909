import { invariant } from '@weir/errors';
import {
  type FoldedBatch,
  type Resolution,
  type RollupIncrement,
  type SpendIncrement,
  MEASURE_COLUMNS,
  type MeasureColumn,
} from '@weir/usage';
import type { PoolClient } from 'pg';
import { arrayLiteral } from '../../postgres/array-literal';
import { makeDaysStale } from './make-days-stale';
import type { SeriesIds } from './series-directory';

export const ROLLUP_TABLES: Readonly<Record<Resolution, string>> = { hour: 'usage_hour', day: 'usage_day', month: 'usage_month' };

const COLUMNS = Object.keys(MEASURE_COLUMNS) as MeasureColumn[];

function columnType(column: string): string {
  return column.endsWith('_pico') ? 'numeric' : 'bigint';
}

function upsertRollup(resolution: Resolution): { name: string; text: string } {
  const table = ROLLUP_TABLES[resolution];
  const arrays = COLUMNS.map((column, at) => `$${at + 4}::${columnType(column)}[]`);
  return {
    name: `weir-add-${resolution}`,
    text: `INSERT INTO ${table} (org_id, period_start, series_id, ${COLUMNS.join(', ')})
      SELECT org_id, to_timestamp(period_seconds), series_id, ${COLUMNS.join(', ')}
      FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], ${arrays.join(', ')})
        AS t(org_id, period_seconds, series_id, ${COLUMNS.join(', ')})
      ON CONFLICT (org_id, period_start, series_id) DO UPDATE SET
        ${COLUMNS.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ')}`,
  };
}

const UPSERTS = { hour: upsertRollup('hour'), day: upsertRollup('day'), month: upsertRollup('month') };

const ADD_SPEND = {
  name: 'weir-add-spend',
  text: `INSERT INTO spend_month (scope, scope_id, month, cost_pico, requests, version)
    SELECT scope, scope_id, to_timestamp(month_seconds), cost_pico, requests, 1
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::numeric[], $5::bigint[]) AS t(scope, scope_id, month_seconds, cost_pico, requests)
    ON CONFLICT (scope, scope_id, month) DO UPDATE SET cost_pico = spend_month.cost_pico + excluded.cost_pico,
      requests = spend_month.requests + excluded.requests, version = spend_month.version + 1, updated_at = now()`,
};

/** Adds a folded batch to the rollups and to what limits start from. */
export async function writeRollups(client: PoolClient, folded: FoldedBatch, seriesIds: SeriesIds): Promise<void> {
  await makeDaysStale(client, folded.hours);
  await writeIncrements(client, { resolution: 'hour', increments: folded.hours, seriesIds });
  await writeIncrements(client, { resolution: 'day', increments: folded.days, seriesIds });
  await writeIncrements(client, { resolution: 'month', increments: folded.months, seriesIds });
  await addSpend(client, folded.spend);
}

type RollupIncrements = {
  readonly resolution: Resolution;
  readonly increments: readonly RollupIncrement[];
  readonly seriesIds: SeriesIds;
};

type Placed = { readonly increment: RollupIncrement; readonly seriesId: number };

/** In the order of the primary key: concurrent batches take the same rows in the same order and cannot deadlock. */
function orderIncrements(increments: readonly RollupIncrement[], seriesIds: SeriesIds): Placed[] {
  const placed = increments.map((increment) => {
    const seriesId = seriesIds.get(increment.series);
    invariant(seriesId !== undefined, 'every folded series has an id');
    return { increment, seriesId: Number(seriesId) };
  });
  return placed.sort(
    (a, b) =>
      compareText(a.increment.organizationId, b.increment.organizationId) ||
      a.increment.periodStartMs - b.increment.periodStartMs ||
      a.seriesId - b.seriesId,
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Adds to the rows of one rollup. */
export async function writeIncrements(client: PoolClient, { resolution, increments, seriesIds }: RollupIncrements): Promise<void> {
  const placed = orderIncrements(increments, seriesIds);
  await client.query({
    ...UPSERTS[resolution],
    values: [
      arrayLiteral(placed.map(({ increment }) => increment.organizationId)),
      arrayLiteral(placed.map(({ increment }) => increment.periodStartMs / 1000)),
      arrayLiteral(placed.map(({ seriesId }) => seriesId)),
      ...COLUMNS.map((column) => arrayLiteral(placed.map(({ increment }) => increment.measures[MEASURE_COLUMNS[column]]))),
    ],
  });
}

async function addSpend(client: PoolClient, spend: readonly SpendIncrement[]): Promise<void> {
  const ordered = [...spend].sort((a, b) => compareText(a.scope, b.scope) || compareText(a.scopeId, b.scopeId) || a.monthMs - b.monthMs);
  await client.query({
    ...ADD_SPEND,
    values: [
      arrayLiteral(ordered.map((row) => row.scope)),
      arrayLiteral(ordered.map((row) => row.scopeId)),
      arrayLiteral(ordered.map((row) => row.monthMs / 1000)),
      arrayLiteral(ordered.map((row) => row.costPico)),
      arrayLiteral(ordered.map((row) => row.requests)),
    ],
  });
}
