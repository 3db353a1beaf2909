import type { Modality } from '@weir/contracts';
import {
  RESULT_COLUMNS,
  tooLarge,
  type DimensionRequest,
  type Resolution,
  type UsageQuery,
  type UsageReference,
  type UsageRow,
} from '@weir/usage';
import { ClickHouseError } from '@clickhouse/client';
import type { ClickHouse } from '../connection/create-clickhouse';
import { periodLiteral, uuidLiteral } from '../connection/literals';
import { SERIES_NAMES } from '../schema/columns';
import { READ_ONCE } from '../schema/read-once';
import { buildFactsSql } from './build-facts-sql';
import { isOneOfSql, requestOf, valueSql } from './dimension-sql';
import { findNames, type Names } from './find-names';
import { periodKeyOf, planFacts, type FactsPlan, type KnownPeriods } from './plan-facts';

type SumParts = { readonly clickhouse: ClickHouse; readonly reference: Pick<UsageReference, 'findNames'> };

/** As in Postgres. */
const ROWS_MAX = 500_000;
const SECONDS_MAX = 10;
const TIMEOUT_EXCEEDED = '159';
const SETTINGS = { ...READ_ONCE, max_execution_time: SECONDS_MAX, max_query_size: 16 * 1024 * 1024 } as const;

/** The sums of a question by period, group and modality. Throws `invalid_request` where they are too many. */
export async function querySums(parts: SumParts, query: UsageQuery): Promise<UsageRow[]> {
  try {
    const plan = planFacts(query, await readPeriods(parts.clickhouse, query));
    const conditions = await filterConditions(parts, query, plan);
    const requests = query.groupBy.map(requestOf);
    const rows = await readSums(parts.clickhouse, query, { plan, conditions, requests });
    if (rows.length > ROWS_MAX) throw tooLarge();
    return await nameGroups(parts, query, requests, rows);
  } catch (error) {
    throw error instanceof ClickHouseError && error.code === TIMEOUT_EXCEEDED ? tooLarge() : error;
  }
}

/** The periods in which the organization used something, from the month of the beginning on. */
async function readPeriods(clickhouse: ClickHouse, { organizationId, startMs, endMs }: UsageQuery): Promise<KnownPeriods> {
  const rows = await clickhouse.read<[Resolution, string, string]>(
    `SELECT resolution, toString(toUnixTimestamp(period)), toString(argMax(build, version)) FROM usage_period
      WHERE org_id = ${uuidLiteral(organizationId)} AND period >= toDateTime(toStartOfMonth(${periodLiteral(startMs)}), 'UTC')
        AND period < ${periodLiteral(endMs + 999)} GROUP BY resolution, period`,
    SETTINGS,
  );
  return new Map(rows.map(([resolution, seconds, build]) => [periodKeyOf(resolution, Number(seconds) * 1000), Number(build)]));
}

/** Filters by names, e-mails and labels become filters by the ids that have them today. */
async function filterConditions(parts: SumParts, query: UsageQuery, plan: FactsPlan): Promise<string[]> {
  const conditions: string[] = [];
  for (const { name, values } of query.filters ?? []) {
    const request = requestOf(name);
    conditions.push(
      isOneOfSql(request, request.dimension.joined === undefined ? values : await findMeant(parts, query, { plan, request, values })),
    );
  }
  return conditions;
}

type Meant = { readonly plan: FactsPlan; readonly request: DimensionRequest; readonly values: readonly string[] };

async function findMeant({ clickhouse, reference }: SumParts, query: UsageQuery, { plan, request, values }: Meant): Promise<string[]> {
  const { missing } = request.dimension;
  const facts = buildFactsSql({ query, plan, columns: [`${valueSql(request)} AS id`], conditions: [] });
  const rows =
    facts === undefined
      ? []
      : await clickhouse.read<[string]>(`SELECT DISTINCT id FROM (${facts}) WHERE id IS NOT NULL LIMIT ${ROWS_MAX}`, SETTINGS);
  const ids = rows.map(([id]) => id);
  const names = await findNames(reference, query, request, ids);
  const meant = ids.filter((id) => values.includes(names.get(id) ?? missing));
  return values.includes(missing) ? [...meant, missing] : meant;
}

type Asked = { readonly plan: FactsPlan; readonly conditions: readonly string[]; readonly requests: readonly DimensionRequest[] };
type SumsRow = readonly [modality: Modality, groups: readonly string[], sums: string];

/** Wide whole numbers: sums of sums, which no number of rows may overflow. */
const SUMS = RESULT_COLUMNS.map((column) => `toString(sum(toInt128(${column})))`).join(', ');

async function readSums(clickhouse: ClickHouse, query: UsageQuery, { plan, conditions, requests }: Asked): Promise<SumsRow[]> {
  const facts = buildFactsSql({ query, plan, columns: [...SERIES_NAMES, ...RESULT_COLUMNS], conditions });
  if (facts === undefined) return [];
  const values = requests.map((request, at) => `ifNull(${valueSql(request)}, ${missingSql(request)}) AS value_${at}`);
  const names = requests.map((_, at) => `value_${at}`);
  const groups = names.length === 0 ? 'emptyArrayString()' : `[${names.join(', ')}]`;
  const grouped = ['bucket', 'modality', ...names].join(', ');
  return clickhouse.read<SumsRow>(
    `SELECT modality, ${groups}, arrayStringConcat([toString(bucket), ${SUMS}], ' ') FROM (
        SELECT bucket, toString(modality) AS modality, ${[...values, ...RESULT_COLUMNS].join(', ')} FROM (${facts}))
      GROUP BY ${grouped} LIMIT ${ROWS_MAX + 1}`,
    SETTINGS,
  );
}

/** Ids are named afterwards; one that is missing is none. */
function missingSql({ dimension: { joined, missing } }: DimensionRequest): string {
  return joined === undefined ? `'${missing}'` : "''";
}

async function nameGroups(
  parts: SumParts,
  query: UsageQuery,
  requests: readonly DimensionRequest[],
  rows: readonly SumsRow[],
): Promise<UsageRow[]> {
  const named = new Map<number, Names>();
  for (const [at, request] of requests.entries()) {
    if (request.dimension.joined === undefined) continue;
    const ids = new Set(rows.flatMap(([, groups]) => groups[at] ?? []));
    ids.delete('');
    named.set(at, await findNames(parts.reference, query, request, [...ids]));
  }
  const nameOf = (value: string, at: number): string => {
    const names = named.get(at);
    return names === undefined ? value : (names.get(value) ?? requests[at]?.dimension.missing ?? value);
  };
  return rows.map(([modality, groups, sums]) => ({ modality, groups: JSON.stringify(groups.map(nameOf)), sums }));
}
