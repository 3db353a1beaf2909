import { finished } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from } from 'pg-copy-streams';

/** Gives rows, as `CopyEncoder` wrote them, to a `COPY … FROM STDIN (FORMAT binary)` in the caller's transaction. */
export async function copyRows(client: PoolClient, text: string, rows: Buffer): Promise<void> {
  const copying = client.query(from(text));
  const isDone = finished(copying);
  copying.end(rows);
  await isDone;
}
