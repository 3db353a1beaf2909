import {
  HOUR_MS,
  type DimensionRequest,
  type Resolution,
  type UsageQuery,
  type UsageReach,
  RESULT_COLUMNS,
  type MeasureColumn,
} from '@weir/usage';
import type { UsageSource } from '../cubes/plan-sources';
import { conditionsSql, type ConditionsSql, dimensionsSql, type Bind, type DimensionsSql } from './dimension-sql';
import type { EdgeFacts } from '../edges/read-edges';
import { ROLLUP_TABLES } from '../rollups/write-rollups';

type UsageSql = { readonly text: string; readonly values: readonly unknown[] };

type SqlParts = {
  /** What is asked, in the order of `group_by`. */
  readonly requests: readonly DimensionRequest[];
  /** Where the facts are read; together the whole range, no hour twice. */
  readonly sources: readonly UsageSource[];
  /** What was used in parts of hours. */
  readonly edges?: readonly EdgeFacts[];
  /** The only series that the filters leave over, where they are few enough to be named. */
  readonly seriesIds?: readonly string[];
  /** What is added up; `RESULT_COLUMNS`, the only ones that cubes have, unless given. */
  readonly columns?: readonly MeasureColumn[];
  readonly rowsMax: number;
};

type Sql = {
  /** Facts of all sources: `bucket`, `series_id` and the sums. */
  readonly facts: string;
  /** Which series are meant; `s` is the series. */
  readonly isAsked: string;
  /** Of what is asked and what is filtered by. */
  readonly joins: string;
  readonly dimensions: DimensionsSql;
  readonly columns: readonly MeasureColumn[];
  readonly rowsMax: number;
};

/** The SQL of a usage query, by whichever way is quicker. Everything a caller wrote is a bind parameter. */
export function buildUsageSql(query: UsageQuery, parts: SqlParts): UsageSql {
  const { requests, sources, edges = [], seriesIds, columns = RESULT_COLUMNS, rowsMax } = parts;
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const organization = `${bind(query.organizationId)}::uuid`;
  const dimensions = dimensionsSql(requests, bind);
  const { conditions, joins } = askedSeries(query, organization, bind);
  const ofSeries = seriesIds === undefined || sources.length === 0 ? '' : ` AND series_id = ANY(${bind(seriesIds)}::bigint[])`;
  const facts = sources.map(
    (source) => `SELECT ${bucketOf(source.rollup, query.resolution)} AS bucket, series_id, ${columns.join(', ')}
      FROM ${tableOf(source)} WHERE org_id = ${organization} AND ${isWithin(source, bind)}${ofSeries}`,
  );
  if (edges.length > 0) facts.push(edgesSql(edges, columns, bind));
  const sql = {
    ...{ facts: facts.join(' UNION ALL '), isAsked: conditions.join(' AND '), dimensions, columns, rowsMax },
    joins: [...new Set([...dimensions.joins, ...joins])].join(' '),
  };
  return { text: isShort(sources) ? addUpByValues(sql) : addUpByGroups(sql), values };
}

/** The series that a query is about, in no order: none when there are more than `max`, as naming them would spare nothing. */
export function buildSeriesSql(query: UsageQuery, max: number): UsageSql {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const { conditions, joins } = askedSeries(query, `${bind(query.organizationId)}::uuid`, bind);
  return { text: `SELECT s.id::text AS id FROM usage_series s ${joins.join(' ')} WHERE ${conditions.join(' AND ')} LIMIT ${max}`, values };
}

/** What a series, `s`, must satisfy to be one that the query is about. */
export function askedSeries({ apiKeyId, reach, filters = [] }: UsageQuery, organization: string, bind: Bind): ConditionsSql {
  const { conditions, joins } = conditionsSql(filters, bind);
  const ofKey = apiKeyId === undefined ? [] : [`s.api_key_id = ${bind(apiKeyId)}::uuid`];
  const ofMember = reach === undefined ? [] : [isWithinReach(reach, bind)];
  return { conditions: [`s.org_id = ${organization}`, ...ofKey, ...ofMember, ...conditions], joins };
}

/** Each column as one list: there may be a row of each series. */
function edgesSql(edges: readonly EdgeFacts[], columns: readonly MeasureColumn[], bind: Bind): string {
  const lists = [
    `${bind(edges.map(({ bucketMs }) => bucketMs / 1000))}::bigint[]`,
    `${bind(edges.map(({ seriesId }) => seriesId))}::bigint[]`,
    ...columns.map((column, at) => `${bind(edges.map(({ sums }) => sums[at]))}::${column === 'cost_pico' ? 'numeric' : 'bigint'}[]`),
  ];
  return `SELECT to_timestamp(bucket_seconds) AS bucket, series_id, ${columns.join(', ')}
    FROM unnest(${lists.join(', ')}) AS edge(bucket_seconds, series_id, ${columns.join(', ')})`;
}

function isWithinReach({ userId, groupIds }: UsageReach, bind: Bind): string {
  return `(s.user_id = ${bind(userId)}::uuid OR s.group_id = ANY(${bind(groupIds)}::uuid[]))`;
}

/** So few facts that finding the groups of all series of the organization would take longer than adding up. */
const SHORT = { periods: 48, periodsAsTheyAre: 4 };

function isShort(sources: readonly UsageSource[]): boolean {
  const count = (some: readonly UsageSource[]): number =>
    some.reduce((sum, { rollup, startMs, endMs }) => sum + (rollup === 'hour' ? (endMs - startMs) / HOUR_MS : Infinity), 0);
  return count(sources) <= SHORT.periods && count(sources.filter(({ cubeId }) => cubeId === null)) <= SHORT.periodsAsTheyAre;
}

/** Money is of any size; of all else a sum has 64 bits, which Postgres adds up in place. */
function sumsOf(columns: readonly MeasureColumn[]): string {
  return columns.map((column) => `${column.endsWith('_pico') ? 'sum' : 'sum_bigint'}(f.${column}) AS ${column}`).join(', ');
}

/** One text is read faster than eight. */
function sumsAsText(columns: readonly MeasureColumn[]): string {
  return `concat_ws(' ', date_part('epoch', sums.bucket)::bigint, ${columns.join(', ')})`;
}

/** Says of each fact what it stands for, and adds up by that. */
function addUpByValues({ facts, isAsked, joins, dimensions, columns, rowsMax }: Sql): string {
  const names = dimensions.values.map((_, at) => `value_${at}`);
  const named = dimensions.values.map((value, at) => `${value} AS value_${at}, `).join('');
  return `SELECT array_to_json(ARRAY[${names.join(', ')}]::text[])::text AS groups, sums.modality, ${sumsAsText(columns)} AS sums, 1 AS periods
    FROM (
      SELECT f.bucket, s.modality, ${named}${sumsOf(columns)}
      FROM (${facts}) f JOIN usage_series s ON s.id = f.series_id ${joins} WHERE ${isAsked}
      GROUP BY ${['f.bucket', 's.modality', ...names].join(', ')}
      LIMIT ${rowsMax}
    ) sums`;
}

/**
 * Finds the groups that the organization's series fall into, each named by the smallest id in it, adds the facts up by
 * period and that id, and only then says what it stands for: millions of rows are hashed by two integers. All periods of a
 * group come in one row, which is read faster than a row of each.
 */
function addUpByGroups({ facts, isAsked, joins, dimensions, columns, rowsMax }: Sql): string {
  return `
    WITH grouped AS MATERIALIZED (
      SELECT s.id, min(s.id) OVER (PARTITION BY ${['s.modality', ...dimensions.values.map(inBytes)].join(', ')}) AS group_id,
        s.modality, ARRAY[${dimensions.values.join(', ')}]::text[] AS groups
      FROM usage_series s ${joins} WHERE ${isAsked}
    ), sums AS (
      SELECT f.bucket, g.group_id, ${sumsOf(columns)}
      FROM (${facts}) f JOIN grouped g ON g.id = f.series_id
      GROUP BY f.bucket, g.group_id
      LIMIT ${rowsMax}
    )
    SELECT named.groups, named.modality, lists.sums, lists.periods
    FROM (
      SELECT group_id, string_agg(${sumsAsText(columns)}, ',') AS sums, count(*)::int AS periods FROM sums GROUP BY group_id
    ) lists JOIN (
      SELECT id, modality, array_to_json(groups)::text AS groups FROM grouped WHERE id = group_id
    ) named ON named.id = lists.group_id`;
}

/** Of no language: groups only have to be kept apart, and bytes are compared in a third of the time. */
function inBytes(value: string): string {
  return `(${value})::text COLLATE "C"`;
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
