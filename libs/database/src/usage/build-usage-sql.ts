import { HOUR_MS, type DimensionRequest, type Resolution, type UsageQuery } from '@weir/usage';
import { ANSWER_COLUMNS } from './answer-columns';
import type { UsageSource } from './cubes/plan-sources';
import { dimensionsSql, type DimensionsSql } from './dimension-sql';
import { ROLLUP_TABLES } from './write-rollups';

export type UsageSql = { readonly text: string; readonly values: readonly unknown[] };

export type SqlParts = {
  /** What is asked, in the order of `group_by`. */
  readonly requests: readonly DimensionRequest[];
  /** Where the facts are read; together the whole range, no hour twice. */
  readonly sources: readonly UsageSource[];
  readonly rowsMax: number;
};

type Sql = {
  /** Facts of all sources: `bucket`, `series_id` and the sums. */
  readonly facts: string;
  /** Which series are meant; `s` is the series. */
  readonly isAsked: string;
  readonly dimensions: DimensionsSql;
  readonly rowsMax: number;
};

/** The SQL of a question, by whichever way is quicker. Everything a caller wrote is a bind parameter. */
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
  const sql = { facts: facts.join(' UNION ALL '), isAsked: `s.org_id = ${organization}${ofKey}`, dimensions, rowsMax };
  return { text: isShort(sources) ? addUpByValues(sql) : addUpByGroups(sql), values };
}

/** So few facts that finding the groups of all series of the organization would take longer than adding up. */
const SHORT = { periods: 48, periodsAsTheyAre: 4 };

function isShort(sources: readonly UsageSource[]): boolean {
  const count = (some: readonly UsageSource[]): number =>
    some.reduce((sum, { rollup, startMs, endMs }) => sum + (rollup === 'hour' ? (endMs - startMs) / HOUR_MS : Infinity), 0);
  return count(sources) <= SHORT.periods && count(sources.filter(({ cubeId }) => cubeId === null)) <= SHORT.periodsAsTheyAre;
}

const SUMS = ANSWER_COLUMNS.map((column) => `sum(f.${column}) AS ${column}`).join(', ');
/** One text is read faster than eight. */
const SUMS_AS_TEXT = `concat_ws(' ', extract(epoch FROM sums.bucket)::bigint, ${ANSWER_COLUMNS.join(', ')}) AS sums`;

/** Says of each fact what it stands for, and adds up by that. */
function addUpByValues({ facts, isAsked, dimensions, rowsMax }: Sql): string {
  const names = dimensions.values.map((_, at) => `value_${at}`);
  const named = dimensions.values.map((value, at) => `${value} AS value_${at}, `).join('');
  return `SELECT array_to_json(ARRAY[${names.join(', ')}]::text[])::text AS groups, sums.modality, ${SUMS_AS_TEXT}
    FROM (
      SELECT f.bucket, s.modality, ${named}${SUMS}
      FROM (${facts}) f JOIN usage_series s ON s.id = f.series_id AND ${isAsked} ${dimensions.joins.join(' ')}
      GROUP BY ${['f.bucket', 's.modality', ...names].join(', ')}
      LIMIT ${rowsMax}
    ) sums`;
}

/**
 * Finds the groups that the organization's series fall into, each named by the smallest id in it, adds the facts up by
 * period and that id, and only then says what it stands for: millions of rows are hashed by two integers.
 */
function addUpByGroups({ facts, isAsked, dimensions, rowsMax }: Sql): string {
  return `
    WITH grouped AS MATERIALIZED (
      SELECT s.id, min(s.id) OVER (PARTITION BY ${['s.modality', ...dimensions.values].join(', ')}) AS group_id,
        s.modality, ARRAY[${dimensions.values.join(', ')}]::text[] AS groups
      FROM usage_series s ${dimensions.joins.join(' ')} WHERE ${isAsked}
    ), sums AS (
      SELECT f.bucket, g.group_id, ${SUMS}
      FROM (${facts}) f JOIN grouped g ON g.id = f.series_id
      GROUP BY f.bucket, g.group_id
      LIMIT ${rowsMax}
    )
    SELECT named.groups, named.modality, ${SUMS_AS_TEXT}
    FROM sums JOIN (
      SELECT id, modality, array_to_json(groups)::text AS groups FROM grouped WHERE id = group_id
    ) named ON named.id = sums.group_id`;
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
