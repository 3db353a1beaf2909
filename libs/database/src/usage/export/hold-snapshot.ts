import type { PoolClient, QueryResultRow } from 'pg';

/**
 * Postgres ends a snapshot that no one reads from: a stalled download must not hold back the clean-up of old rows. What is read
 * is a whole period, so it is joined by hashes: where an organization has just grown, Postgres expects one row, and a loop of
 * loops over 20,000 takes a minute.
 */
export const BEGIN_SNAPSHOT = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = '60s';
  SET LOCAL statement_timeout = '60s'; SET LOCAL enable_nestloop = off`;

const ROWS_PER_PAGE = 1_000;

/** A cursor of a connection that is in a snapshot. */
export type Snapshot<Row> = {
  /** The next rows; none at the end. */
  fetch(): Promise<readonly Row[]>;
  /** Ends the snapshot and gives the connection back; after that it does nothing. */
  close(): Promise<void>;
};

/** Looks after a connection on which a snapshot has begun; its cursor is declared before the first rows are asked for. */
export function holdSnapshot<Row extends QueryResultRow>(client: PoolClient, cursor: string): Snapshot<Row> {
  let fetching: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;
  // The server may end the connection while no query runs; the next query then fails with that error.
  client.on('error', ignore);
  const close = async (): Promise<void> => {
    await fetching.catch(ignore);
    const error = await client.query('ROLLBACK').then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    client.removeListener('error', ignore);
    client.release(error !== undefined);
  };
  return {
    fetch: async () => {
      const asked = client.query<Row>(`FETCH ${ROWS_PER_PAGE} FROM ${cursor}`);
      fetching = asked;
      return (await asked).rows;
    },
    close: () => (closing ??= close()),
  };
}

/** Pages of rows until there are no more, or no one asks; the snapshot ends with them. */
export async function* readSnapshot<Row, Line>(snapshot: Snapshot<Row>, decode: (row: Row) => Line): AsyncGenerator<Line[]> {
  try {
    for (;;) {
      const rows = await snapshot.fetch();
      if (rows.length === 0) return;
      yield rows.map(decode);
    }
  } finally {
    await snapshot.close();
  }
}

function ignore(): void {
  // The next query reports it.
}
