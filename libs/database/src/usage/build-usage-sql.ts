import { planUsageSegments, type DimensionRequest, type UsageQuery, type UsageSegment } from '@weir/usage';
import { dimensionsSql } from './dimension-sql';
import { ROLLUP_TABLES } from './write-rollups';

/** What answers are made of; requests are told apart by modality later. */
const SUMS = ['requests', 'input_tokens', 'output_tokens', 'cached_tokens', 'cache_write_tokens', 'reasoning_tokens', 'cost_pico'] as const;

export type UsageSql = { readonly text: string; readonly values: readonly unknown[] };

/**
 * Sums per period and series first, on narrow rows, and only then joins what the series means. Everything a caller
 * wrote is a bind parameter.
 */
export function buildUsageSql(query: UsageQuery, requests: readonly DimensionRequest[], rowsMax: number): UsageSql {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const organization = bind(query.organizationId);
  const ofKey =
    query.apiKeyId === undefined
      ? ''
      : ` AND series_id IN (SELECT id FROM usage_series WHERE org_id = ${organization}::uuid AND api_key_id = ${bind(query.apiKeyId)}::uuid)`;
  const segmentSql = ({ rollup, startMs, endMs }: UsageSegment): string => `
    SELECT date_trunc('${query.resolution}', period_start, 'UTC') AS bucket, series_id, ${sumColumns('')}
    FROM ${ROLLUP_TABLES[rollup]}
    WHERE org_id = ${organization}::uuid AND period_start >= to_timestamp(${bind(startMs / 1000)}::bigint)
      AND period_start < to_timestamp(${bind(endMs / 1000)}::bigint)${ofKey}
    GROUP BY 1, 2`;
  const facts = planUsageSegments(query, query.resolution).map(segmentSql).join(' UNION ALL ');
  const dimensions = dimensionsSql(requests, bind);
  const text = `WITH facts AS (${facts})
    SELECT extract(epoch FROM f.bucket)::bigint::text AS bucket_seconds, ARRAY[${dimensions.values.join(', ')}]::text[] AS groups, s.modality,
      ${sumColumns('f.', '::text')}
    FROM facts f JOIN usage_series s ON s.id = f.series_id ${dimensions.joins.join(' ')}
    GROUP BY f.bucket, groups, s.modality
    LIMIT ${rowsMax}`;
  return { text, values };
}

function sumColumns(table: string, cast = ''): string {
  return SUMS.map((column) => `sum(${table}${column})${cast} AS ${column}`).join(', ');
}
