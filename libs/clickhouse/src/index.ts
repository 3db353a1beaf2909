// This library keeps usage a second time in ClickHouse: fed from Postgres, read with equal sums, compared every day.
export { createClickHouse } from './connection/create-clickhouse';
export { createUsageFeeder } from './feed/create-usage-feeder';
export { preferColumnar } from './prefer-columnar';
export { createColumnarReader } from './queries/create-columnar-reader';
