import type { UsageResponse, UsageWarning } from '@weir/contracts';
import { GatewayError, invariant } from '@weir/errors';
import { periodStart, planUsageSegments, type DimensionRequest, type UsageQuery, type UsageSegment } from '@weir/usage';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { runAsOrganization } from '../../tenancy/organization-database';
import { buildSeriesSql, buildUsageSql } from './build-usage-sql';
import { checkRollupsKept } from './check-rollups-kept';
import { createQueryQueue } from './create-query-queue';
import { createUsageCache, type UsageCache } from './create-usage-cache';
import { findCubes } from '../cubes/cubes';
import { findCubeDays, planSources, type UsageSource } from '../cubes/plan-sources';
import { readExactDays } from '../cubes/read-exact-days';
import { requestOf } from './dimension-sql';
import { readEdges } from '../edges/read-edges';
import { encodeUsage, type UsageRow } from './encode-usage';
import { readWarnings } from './read-warnings';

type ReadParts = { readonly pool: Pool; readonly now: () => number };

/** More rows than any report shows. */
const ROWS_MAX = 500_000;
const QUERY_CANCELED = '57014';
const QUERIES_PER_ORGANIZATION = { runningMax: 4, waitingMax: 32 };

/**
 * `revision` changes with every event of the organization in the months of the query, and with nothing else: the same
 * revision means the same result.
 */
const READ_STATE = {
  name: 'weir-read-usage-state',
  text: `SELECT
    (SELECT floor(extract(epoch FROM max(updated_at)) * 1000)::text FROM usage_writer) AS as_of_ms,
    (SELECT coalesce(string_agg(extract(epoch FROM month)::bigint || ':' || version, ' ' ORDER BY month), '') FROM spend_month
      WHERE scope = 'organization' AND scope_id = $1 AND month >= to_timestamp($2::bigint) AND month < to_timestamp($3::double precision)) AS revision`,
};

type State = { readonly asOfMs: number; readonly revision: string };

type UsageReader = (query: UsageQuery) => Promise<UsageResponse>;

/**
 * Usage by period and group, of exactly the range that is asked for, and up to which moment it is complete. A query whose
 * result is cached needs no permit, and one that waits for its permit keeps no connection meanwhile.
 */
export function createUsageReader(parts: ReadParts): UsageReader {
  const cache = createUsageCache();
  const queue = createQueryQueue(QUERIES_PER_ORGANIZATION);
  return async (query) => {
    let permit = queue.tryAcquire(query.organizationId);
    try {
      let seen = await lookAtUsage(parts, query, cache, permit !== undefined);
      if (seen === undefined) {
        permit = await queue.acquire(query.organizationId);
        seen = await lookAtUsage(parts, query, cache, true);
      }
      invariant(seen !== undefined, 'a query that has a permit gets a result');
      const usage = seen.kept ?? encodeUsage(seen.rows, query.groupBy);
      if (seen.kept === undefined) cache.keep(query, seen.revision, usage);
      const { warnings } = seen;
      return { usage, as_of: new Date(seen.asOfMs).toISOString(), ...(warnings.length === 0 ? {} : { warnings }) };
    } finally {
      permit?.release();
    }
  };
}

type Seen = State & {
  readonly warnings: UsageWarning[];
  /** The cached result, if it is still valid; otherwise `rows` has what a new one is made of. */
  readonly kept: UsageResponse['usage'] | undefined;
  readonly rows: readonly UsageRow[];
};

/** All in one snapshot. Undefined when no result is cached and the query has no permit to compute one. */
function lookAtUsage(parts: ReadParts, query: UsageQuery, cache: UsageCache, isPermitted: boolean): Promise<Seen | undefined> {
  return runAsOrganization(parts.pool, { organizationId: query.organizationId, begin: BEGIN }, async (client) => {
    const state = await readState(parts, client, query);
    const kept = cache.find(query, state.revision);
    if (kept === undefined && !isPermitted) return undefined;
    const warnings = await readWarnings(client, query);
    return { ...state, warnings, kept, rows: kept === undefined ? await queryUsage(client, query) : [] };
  });
}

async function readState({ now }: ReadParts, client: PoolClient, query: UsageQuery): Promise<State> {
  const { rows } = await client.query<{ as_of_ms: string | null; revision: string }>({
    ...READ_STATE,
    values: [query.organizationId, periodStart('month', query.startMs) / 1000, query.endMs / 1000],
  });
  return { asOfMs: Number(rows[0]?.as_of_ms ?? now()), revision: rows[0]?.revision ?? '' };
}

/** Where Postgres may compile queries, doing so takes longer than it spares. */
const BEGIN =
  "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = '10s'; SET LOCAL work_mem = '64MB'; SET LOCAL jit = off";

async function queryUsage(client: PoolClient, query: UsageQuery): Promise<UsageRow[]> {
  try {
    const segments = planUsageSegments(query, query.resolution);
    await checkRollupsKept(client, query, segments);
    const edges = await readEdges(client, query);
    const requests = query.groupBy.map(requestOf);
    const sources = await findSources(client, query, segments);
    const seriesIds = await findAskedSeries(client, query);
    if ((sources.length === 0 && edges.length === 0) || seriesIds?.length === 0) return [];
    const sql = buildUsageSql(query, {
      requests,
      sources,
      edges,
      ...(seriesIds === undefined ? {} : { seriesIds }),
      rowsMax: ROWS_MAX + 1,
    });
    const { rows } = await client.query<UsageRow>(sql.text, [...sql.values]);
    if (rows.length > ROWS_MAX) throw tooLarge();
    return rows;
  } catch (error) {
    throw error instanceof DatabaseError && error.code === QUERY_CANCELED ? tooLarge() : error;
  }
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

function tooLarge(): GatewayError {
  return new GatewayError(
    'invalid_request',
    'The result is too large: ask for a shorter range, a coarser `resolution` or less in `group_by`.',
    {
      field: 'group_by',
    },
  );
}
