import type { DimensionRequest, Resolution, UsageQuery } from '@weir/usage';
import { ANSWER_COLUMNS } from './answer-columns';
import type { UsageSource } from './cubes/plan-sources';
import { dimensionsSql } from './dimension-sql';
import { ROLLUP_TABLES } from './write-rollups';

export type UsageSql = { readonly text: string; readonly values: readonly unknown[] };

export type SqlParts = {
  /** What is asked, in the order of `group_by`. */
  readonly requests: readonly DimensionRequest[];
  /** Where the facts are read; together the whole range, no hour twice. */
  readonly sources: readonly UsageSource[];
  readonly rowsMax: number;
};

/**
 * Finds the groups that the organization's series fall into, each named by the smallest id in it, adds the facts up by
 * period and that id, and only then says what it stands for: millions of rows are hashed by two integers. Everything a
 * caller wrote is a bind parameter.
 */
export function buildUsageSql(query: UsageQuery, { requests, sources, rowsMax }: SqlParts): UsageSql {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const organization = `${bind(query.organizationId)}::uuid`;
  const ofKey = query.apiKeyId === undefined ? '' : ` AND s.api_key_id = ${bind(query.apiKeyId)}::uuid`;
  const dimensions = dimensionsSql(requests, bind);
  const facts = sources.map(
    (source) => `SELECT ${bucketOf(source.rollup, query.resolution)} AS bucket, series_id, ${ANSWER_COLUMNS.join(', ')}
      FROM ${tableOf(source)} WHERE org_id = ${organization} AND ${isWithin(source, bind)}`,
  );
  const text = `
    WITH grouped AS MATERIALIZED (
      SELECT s.id, min(s.id) OVER (PARTITION BY ${['s.modality', ...dimensions.values].join(', ')}) AS group_id,
        s.modality, ARRAY[${dimensions.values.join(', ')}]::text[] AS groups
      FROM usage_series s ${dimensions.joins.join(' ')} WHERE s.org_id = ${organization}${ofKey}
    ), sums AS (
      SELECT f.bucket, g.group_id, ${ANSWER_COLUMNS.map((column) => `sum(f.${column}) AS ${column}`).join(', ')}
      FROM (${facts.join(' UNION ALL ')}) f JOIN grouped g ON g.id = f.series_id
      GROUP BY f.bucket, g.group_id
      LIMIT ${rowsMax}
    )
    SELECT named.groups, named.modality, concat_ws(' ', extract(epoch FROM sums.bucket)::bigint, ${ANSWER_COLUMNS.join(', ')}) AS sums
    FROM sums JOIN (
      SELECT id, modality, array_to_json(groups)::text AS groups FROM grouped WHERE id = group_id
    ) named ON named.id = sums.group_id`;
  return { text, values };
}

function tableOf({ rollup, cubeId }: UsageSource): string {
  return cubeId === null ? ROLLUP_TABLES[rollup] : `(SELECT * FROM usage_cube WHERE cube = ${cubeId}) cube`;
}

function bucketOf(rollup: Resolution, resolution: Resolution): string {
  return rollup === resolution ? 'period_start' : `date_trunc('${resolution}', period_start, 'UTC')`;
}

function isWithin({ startMs, endMs }: UsageSource, bind: (value: unknown) => string): string {
  return `period_start >= to_timestamp(${bind(startMs / 1000)}::bigint) AND period_start < to_timestamp(${bind(endMs / 1000)}::bigint)`;
}
