import {
  planUsageSegments,
  tooLarge,
  type DimensionRequest,
  type UsageQuery,
  type UsageSegment,
  type MeasureColumn,
  type UsageRow,
} from '@weir/usage';
import { DatabaseError, type PoolClient } from 'pg';
import { findCubes, type FoundCubes } from '../cubes/cubes';
import { findCubeDays, planSources, type UsageSource } from '../cubes/plan-sources';
import { readExactDays } from '../cubes/read-exact-days';
import { readEdges } from '../edges/read-edges';
import { buildSeriesSql, buildUsageSql } from './build-usage-sql';
import { checkRollupsKept } from './check-rollups-kept';
import { requestOf } from './dimension-sql';

/** More rows than any report shows. */
const ROWS_MAX = 500_000;
const QUERY_CANCELED = '57014';
const NO_CUBES: FoundCubes = { hour: null, day: null };

type Asked = {
  /** What is added up; without it what usage says, for which cubes may be read. */
  readonly columns?: readonly MeasureColumn[];
};

/** The sums of a query by period, group and modality. Throws `invalid_request` where they are no longer kept, or too many. */
export async function querySums(client: PoolClient, query: UsageQuery, { columns }: Asked = {}): Promise<UsageRow[]> {
  try {
    const segments = planUsageSegments(query, query.resolution);
    await checkRollupsKept(client, query, segments);
    const edges = await readEdges(client, query, columns);
    const requests = query.groupBy.map(requestOf);
    const sources = columns === undefined ? await findSources(client, query, segments) : planSources(segments, NO_CUBES, []);
    const seriesIds = await findAskedSeries(client, query);
    if ((sources.length === 0 && edges.length === 0) || seriesIds?.length === 0) return [];
    const sql = buildUsageSql(query, {
      requests,
      sources,
      edges,
      ...(seriesIds === undefined ? {} : { seriesIds }),
      ...(columns === undefined ? {} : { columns }),
      rowsMax: ROWS_MAX + 1,
    });
    const { rows } = await client.query<UsageRow & { readonly periods: number }>(sql.text, [...sql.values]);
    if (rows.reduce((sum, { periods }) => sum + periods, 0) > ROWS_MAX) throw tooLarge();
    return rows;
  } catch (error) {
    throw isCanceled(error) ? tooLarge() : error;
  }
}

/** Whether a statement took longer than it may. */
export function isCanceled(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === QUERY_CANCELED;
}

/** The smallest tables that together say the same as the rollups of the range do. */
async function findSources(client: PoolClient, query: UsageQuery, segments: readonly UsageSegment[]): Promise<UsageSource[]> {
  const cubes = findCubes(listDimensions(query), query.apiKeyId !== undefined || query.reach !== undefined);
  const days = findCubeDays(segments, cubes);
  const exactDays = days === undefined ? [] : await readExactDays(client, query.organizationId, days);
  return planSources(segments, cubes, exactDays);
}

/** The dimensions that a table must keep apart to serve the query. */
function listDimensions({ groupBy, filters = [] }: UsageQuery): DimensionRequest[] {
  return [...groupBy, ...filters.map(({ name }) => name)].map(requestOf);
}

/** More of them are found in facts sooner by joining than by name. */
const NAMED_SERIES_MAX = 2_000;

/** The series that filters leave over, so that facts of others are passed over early; undefined where they are too many, or nothing is filtered. */
async function findAskedSeries(client: PoolClient, query: UsageQuery): Promise<readonly string[] | undefined> {
  if (query.filters === undefined) return undefined;
  const { text, values } = buildSeriesSql(query, NAMED_SERIES_MAX + 1);
  const { rows } = await client.query<{ id: string }>(text, [...values]);
  return rows.length > NAMED_SERIES_MAX ? undefined : rows.map(({ id }) => id);
}
