import { planUsageSegments, type DimensionRequest, type Resolution, type UsageQuery, type UsageSegment } from '@weir/usage';
import { dimensionsSql } from './dimension-sql';
import { ROLLUP_TABLES } from './write-rollups';

/** What answers are made of; requests are told apart by modality later. */
const SUMS = ['requests', 'input_tokens', 'output_tokens', 'cached_tokens', 'cache_write_tokens', 'reasoning_tokens', 'cost_pico'] as const;

export type UsageSql = { readonly text: string; readonly values: readonly unknown[] };

/**
 * Numbers the groups that the organization's series fall into, adds the facts up by period and group number, and only
 * then says what a number means: millions of rows are hashed by two integers. Everything a caller wrote is a bind parameter.
 */
export function buildUsageSql(query: UsageQuery, requests: readonly DimensionRequest[], rowsMax: number): UsageSql {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const organization = `${bind(query.organizationId)}::uuid`;
  const ofKey = query.apiKeyId === undefined ? '' : ` AND s.api_key_id = ${bind(query.apiKeyId)}::uuid`;
  const dimensions = dimensionsSql(requests, bind);
  const facts = planUsageSegments(query, query.resolution).map(
    (segment) => `SELECT ${bucketOf(segment.rollup, query.resolution)} AS bucket, series_id, ${SUMS.join(', ')}
      FROM ${ROLLUP_TABLES[segment.rollup]} WHERE org_id = ${organization} AND ${isWithin(segment, bind)}`,
  );
  const text = `
    WITH grouped AS MATERIALIZED (
      SELECT s.id, dense_rank() OVER (ORDER BY ${['s.modality', ...dimensions.values].join(', ')}) AS group_no,
        s.modality, ARRAY[${dimensions.values.join(', ')}]::text[] AS groups
      FROM usage_series s ${dimensions.joins.join(' ')} WHERE s.org_id = ${organization}${ofKey}
    ), sums AS (
      SELECT f.bucket, g.group_no, ${SUMS.map((column) => `sum(f.${column})::text AS ${column}`).join(', ')}
      FROM (${facts.join(' UNION ALL ')}) f JOIN grouped g ON g.id = f.series_id
      GROUP BY f.bucket, g.group_no
      LIMIT ${rowsMax}
    )
    SELECT extract(epoch FROM sums.bucket)::bigint::text AS bucket_seconds, named.groups, named.modality, ${SUMS.join(', ')}
    FROM sums JOIN (
      SELECT DISTINCT ON (group_no) group_no, modality, array_to_json(groups)::text AS groups FROM grouped ORDER BY group_no
    ) named USING (group_no)`;
  return { text, values };
}

function bucketOf(rollup: Resolution, resolution: Resolution): string {
  return rollup === resolution ? 'period_start' : `date_trunc('${resolution}', period_start, 'UTC')`;
}

function isWithin({ startMs, endMs }: UsageSegment, bind: (value: unknown) => string): string {
  return `period_start >= to_timestamp(${bind(startMs / 1000)}::bigint) AND period_start < to_timestamp(${bind(endMs / 1000)}::bigint)`;
}
