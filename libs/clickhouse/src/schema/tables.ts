import type { ClickHouse } from '../connection/create-clickhouse';
import { MEASURE_NAMES, measureType, SERIES_COLUMNS } from './columns';

const SERIES = Object.entries(SERIES_COLUMNS)
  .map(([name, { type }]) => `${name} ${type}`)
  .join(', ');
const MEASURES = MEASURE_NAMES.map((name) => `${name} ${measureType(name)}`).join(', ');

/** Parts go as a whole once all of them is older. */
const DROP_PARTS = 'ttl_only_drop_parts = 1';

/** Each once, however often it was written: rows of the same place in a journal become one, the one of the latest pass. */
const EVENTS = (days: number): string => `CREATE TABLE IF NOT EXISTS usage_event (
    org_id UUID, admitted_at DateTime64(3, 'UTC'), writer_id UUID, seq UInt64, event_id String, request_id String,
    status LowCardinality(String), price_version LowCardinality(String), corrects Nullable(String),
    ${SERIES}, ${MEASURES}, payload String CODEC(ZSTD(3)), run UInt64
  ) ENGINE = ReplacingMergeTree(run) PARTITION BY toYYYYMM(admitted_at) ORDER BY (org_id, admitted_at, writer_id, seq)
  TTL toDateTime(admitted_at) + INTERVAL ${days} DAY SETTINGS ${DROP_PARTS}`;

/** Sums of periods that are over, by series. Which build of a period is valid, and whether one is, stands in \`usage_period\`. */
const ROLLUPS = (days: number): string => `CREATE TABLE IF NOT EXISTS usage_rollup (
    org_id UUID, resolution LowCardinality(String), period DateTime('UTC'), build UInt64, ${SERIES}, ${MEASURES}
  ) ENGINE = MergeTree PARTITION BY toYYYYMM(period) ORDER BY (org_id, resolution, period, build)
  TTL period + INTERVAL ${days} DAY SETTINGS ${DROP_PARTS}`;

/** What is known of the periods in which an organization used something; the row with the highest version. 0 builds: read what is finer. */
const PERIODS = (days: number): string => `CREATE TABLE IF NOT EXISTS usage_period (
    org_id UUID, resolution LowCardinality(String), period DateTime('UTC'), version UInt64, build UInt64
  ) ENGINE = ReplacingMergeTree(version) PARTITION BY toYYYYMM(period) ORDER BY (org_id, resolution, period)
  TTL period + INTERVAL ${days} DAY SETTINGS ${DROP_PARTS}`;

/** The latest pass that has written something: less than Postgres knows of, and something was lost. */
const PASSES = `CREATE TABLE IF NOT EXISTS usage_pass (store UInt8, run UInt64) ENGINE = ReplacingMergeTree(run) ORDER BY store`;

/** Months begin up to 31 days before what is used in them. */
const MONTH_DAYS = 31;

/** The statements that make the tables, in their order; each may be repeated. `days`: how long usage is kept. */
export function describeTables(days: number): readonly string[] {
  return [EVENTS(days), ROLLUPS(days + MONTH_DAYS), PERIODS(days + MONTH_DAYS), PASSES];
}

export async function makeTables(clickhouse: Pick<ClickHouse, 'run'>, days: number): Promise<void> {
  for (const statement of describeTables(days)) await clickhouse.run(statement);
}
