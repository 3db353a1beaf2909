import type { ClickHouse } from '../connection/create-clickhouse';

/** Which call fails, counted from 1, and whether it has been carried out by then. */
export type Fault = { readonly at: number; readonly isCarriedOut: boolean };

/** The same with one call that fails, and every call after it: as it is for a process that dies there. */
export function failAt(clickhouse: ClickHouse, { at, isCarriedOut }: Fault): ClickHouse & { calls(): number } {
  let calls = 0;
  const guard = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    calls += 1;
    if (calls < at) return call();
    if (calls === at && isCarriedOut) await call();
    throw new Error('made to fail');
  };
  return {
    read: (sql, settings) => guard(() => clickhouse.read(sql, settings)),
    insert: (table, rows) => guard(() => clickhouse.insert(table, rows)),
    run: (sql, settings) => guard(() => clickhouse.run(sql, settings)),
    close: () => clickhouse.close(),
    calls: () => calls,
  };
}
