import type { Pool, PoolClient } from 'pg';

/**
 * A process that is frozen in mid-transaction keeps its locks, and with them everybody who counts for the same writer. The
 * server ends its session instead; should it wake up, its commit fails and the batch comes again, as a repeat.
 */
const BEGIN =
  "BEGIN; SET LOCAL lock_timeout = '5s'; SET LOCAL idle_in_transaction_session_timeout = '10s'; SET LOCAL synchronous_commit = on";

/** Runs `work` in one transaction: all of it is kept, durably, or nothing. Waits at most five seconds for any lock. */
export async function runInTransaction<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  return endTransaction(await pool.connect(), async (client) => {
    await client.query(BEGIN);
    return work(client);
  });
}

/** Runs `work` in the transaction that it or somebody before it begins on this connection, ends that and gives the connection back. */
export async function endTransaction<Result>(client: PoolClient, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  try {
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    await rollBack(client);
    throw error;
  }
}

/** Ends a transaction that failed and gives its connection back. */
async function rollBack(client: PoolClient): Promise<void> {
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch (error) {
    // The connection is gone, and its transaction with it.
    client.release(error instanceof Error ? error : true);
  }
}
