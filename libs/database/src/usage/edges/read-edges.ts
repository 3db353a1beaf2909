import { GatewayError } from '@weir/errors';
import {
  HOUR_MS,
  instantKey,
  periodStart,
  planUsageEdges,
  type UsageEdge,
  type UsageQuery,
  RESULT_COLUMNS,
  MEASURE_COLUMNS,
  type MeasureColumn,
} from '@weir/usage';
import type { PoolClient } from 'pg';
import { createDecidedBounds } from '../bounds/create-decided-bounds';
import { readPartitions } from '../partitions/read-partitions';
import { findSeriesIds } from '../rollups/series-directory';
import { foldEvents } from './fold-events';

/** What one series used in part of an hour. */
export type EdgeFacts = {
  /** Start of the period of the result that it belongs to. */
  readonly bucketMs: number;
  readonly seriesId: string;
  /** Decimal texts, in the order of the columns that were asked for. */
  readonly sums: readonly string[];
};

/** As long as any statement of a query may take. */
const DURATION_MAX_MS = 10_000;

/**
 * What was used in the parts of hours at the start and at the end of a range, from the events themselves, by the series that
 * they were counted under: all parts of an hour add up to it. Throws `invalid_request` where events are no longer kept.
 */
export async function readEdges(
  client: PoolClient,
  query: UsageQuery,
  columns: readonly MeasureColumn[] = RESULT_COLUMNS,
): Promise<EdgeFacts[]> {
  const edges = planUsageEdges(query);
  if (edges.length === 0) return [];
  await checkEventsKept(client, query, edges);
  const deadlineMs = performance.now() + DURATION_MAX_MS;
  const facts: EdgeFacts[] = [];
  for (const edge of edges) facts.push(...(await readEdge(client, query, edge, { deadlineMs, columns })));
  return facts;
}

type EdgeReading = { readonly deadlineMs: number; readonly columns: readonly MeasureColumn[] };

async function readEdge(client: PoolClient, query: UsageQuery, edge: UsageEdge, reading: EdgeReading): Promise<EdgeFacts[]> {
  const { deadlineMs, columns } = reading;
  const { organizationId, apiKeyId } = query;
  const bounds = createDecidedBounds({ organizationId, hourMs: periodStart('hour', edge.startMs) });
  const onPage = (): void => {
    if (performance.now() > deadlineMs) throw tooManyEvents(query, edge);
  };
  const range = { organizationId, ...(apiKeyId === undefined ? {} : { apiKeyId }), ...edge };
  const { hours, series } = await foldEvents(client, range, { open: bounds.open, onPage });
  const ids = await findSeriesIds(client, series);
  const bucketMs = periodStart(query.resolution, edge.startMs);
  return hours.map(({ series: identity, measures }) => {
    const seriesId = ids.get(identity);
    // Counted under other bounds than today's, by another version: the hour as a whole is exact.
    if (seriesId === undefined) throw refuse(query, edge, 'cannot be divided by its series any more');
    return { bucketMs, seriesId, sums: columns.map((column) => String(measures[MEASURE_COLUMNS[column]])) };
  });
}

/** An hour is kept by its partition; partitions are dropped by age, so after the newest nothing is missing. */
async function checkEventsKept(client: PoolClient, query: UsageQuery, edges: readonly UsageEdge[]): Promise<void> {
  const partitions = await readPartitions(client, 'usage_event');
  const newestEndMs = Math.max(...partitions.map(({ endMs }) => endMs));
  for (const edge of edges) {
    const isKept = edge.startMs >= newestEndMs || partitions.some(({ startMs, endMs }) => startMs <= edge.startMs && edge.endMs <= endMs);
    if (!isKept) throw refuse(query, edge, 'is no longer kept by the event, only as a whole');
  }
}

/** Names the bound that is inside the hour, and the nearest valid ones. */
function refuse(query: UsageQuery, { startMs }: UsageEdge, because: string): GatewayError {
  const field = startMs === query.startMs && startMs % HOUR_MS !== 0 ? 'start' : 'end';
  const boundMs = field === 'start' ? query.startMs : query.endMs;
  const hourMs = periodStart('hour', boundMs);
  const legal = [hourMs, hourMs + HOUR_MS].map(instantKey).join(' or ');
  return new GatewayError(
    'invalid_request',
    `\`${field}\` (${instantKey(boundMs)}) is inside an hour of usage that ${because}: ask with a bound on the hour, such as ${legal}.`,
    { field },
  );
}

function tooManyEvents(query: UsageQuery, edge: UsageEdge): GatewayError {
  return refuse(query, edge, 'has more events than can be read one by one in time');
}
