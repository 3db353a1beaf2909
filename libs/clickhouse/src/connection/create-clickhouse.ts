import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';

export type ClickHouseSettings = {
  /** As `http://clickhouse:8123` or `https://…`. */
  readonly url: string;
  readonly database: string;
  readonly user: string;
  readonly password: string;
};

/** A statement's own limits, by the names of ClickHouse. */
export type StatementSettings = Readonly<Record<string, string | number>>;

/** The columnar store, as this library speaks to it. Every call may fail, and may then have been carried out. */
export type ClickHouse = {
  /** Rows as lists of values, in the order of the columns. */
  read<Row extends readonly unknown[]>(sql: string, settings?: StatementSettings): Promise<Row[]>;
  /** Rows as objects by column. Durable and visible to every later statement when it returns. */
  insert(table: string, rows: readonly Readonly<Record<string, unknown>>[]): Promise<void>;
  run(sql: string, settings?: StatementSettings): Promise<void>;
  close(): Promise<void>;
};

const REQUEST_TIMEOUT_MS = 60_000;
/** Rows are visible when the statement returns: nothing is put off. */
const AT_ONCE = { async_insert: 0, wait_end_of_query: 1 } as const;

export function createClickHouse({ url, database, user, password }: ClickHouseSettings): ClickHouse {
  const client: ClickHouseClient = createClient({
    ...{ url, database, username: user, password, application: 'weir' },
    request_timeout: REQUEST_TIMEOUT_MS,
    // What fails is thrown, and logged where it was asked for.
    log: { level: ClickHouseLogLevel.OFF },
  });
  return {
    read: async <Row extends readonly unknown[]>(query: string, settings: StatementSettings = {}) => {
      const result = await client.query({ query, format: 'JSONCompactEachRow', clickhouse_settings: settings });
      return (await result.json()) as unknown as Row[];
    },
    insert: async (table, values) => {
      if (values.length === 0) return;
      await client.insert({ table, values: [...values], format: 'JSONEachRow', clickhouse_settings: AT_ONCE });
    },
    run: async (query, settings = {}) => {
      await client.command({ query, clickhouse_settings: { wait_end_of_query: 1, ...settings } });
    },
    close: () => client.close(),
  };
}
