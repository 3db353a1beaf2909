import type { SequencedUsageEvent } from '@weir/contracts';
import { decodeUsageEvent, foldBatch, type AppliedBatch, type BatchSource } from '@weir/usage';
import type { Pool, PoolClient } from 'pg';
import type { DatabaseLog } from '../database-log';
import { claimBatch, type ClaimedBatch } from './claim-batch';
import { listFreshSequences, markSeen, moveOffset, readWatermarks } from './mark-seen';
import type { SeriesDirectory, SeriesIds } from './series-directory';
import { writeDeadLetters, writeEvents, type CountableEvent, type DeadLetter } from './write-events';
import { writeLedger } from './write-ledger';
import { writeRollups } from './write-rollups';

export type ApplyParts = {
  readonly pool: Pool;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log: DatabaseLog;
  readonly series: SeriesDirectory;
};

export type Batch = {
  readonly events: readonly SequencedUsageEvent[];
  readonly source: BatchSource | null;
  /** Keeps the events as dead letters uncounted: for one that Postgres would not take. */
  readonly isUnstorable?: boolean;
};

/**
 * One transaction: what is new of the batch goes into rollups, spend, ledger and raw events, and is marked seen. Effect
 * and proof share the commit, so a batch may be repeated, reordered or given to two processes at once.
 */
export async function applyBatch(parts: ApplyParts, batch: Batch): Promise<AppliedBatch> {
  const client = await parts.pool.connect();
  try {
    await client.query("BEGIN; SET LOCAL lock_timeout = '5s'; SET LOCAL synchronous_commit = on");
    const { applied, seriesIds } = await applyInTransaction(parts, client, batch);
    await client.query('COMMIT');
    parts.series.remember(seriesIds);
    client.release();
    return applied;
  } catch (error) {
    await rollBack(client);
    throw error;
  }
}

async function rollBack(client: PoolClient): Promise<void> {
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch (error) {
    // The connection is gone, and its transaction with it.
    client.release(error instanceof Error ? error : true);
  }
}

async function applyInTransaction(
  { now, log, series }: ApplyParts,
  client: PoolClient,
  { events, source, isUnstorable = false }: Batch,
): Promise<{ applied: AppliedBatch; seriesIds: SeriesIds }> {
  const claimed = await claimBatch(client, events, source);
  const { countable, letters } = sortOut(claimed, now(), isUnstorable);
  const fresh = listFreshSequences(claimed.fresh);
  let seriesIds: SeriesIds = new Map();
  if (countable.length > 0) {
    const folded = foldBatch(countable.map(({ decoded }) => decoded));
    seriesIds = await series.resolve(client, folded.series);
    await writeRollups(client, folded, seriesIds);
    await writeLedger(client, folded.billed, fresh);
    await writeEvents(client, countable);
  }
  await writeDeadLetters(client, letters);
  await markSeen(client, fresh);
  if (source !== null) {
    warnOfRecreatedTopic(log, source, claimed.previousOffset);
    await moveOffset(client, source);
  }
  const writerIds = new Set(events.filter((event) => !claimed.unplaced.includes(event)).map(({ writerId }) => writerId.toLowerCase()));
  const watermarks = await readWatermarks(client, [...writerIds]);
  return { seriesIds, applied: { applied: countable.length, duplicates: claimed.duplicates, deadLettered: letters.length, watermarks } };
}

function sortOut(claimed: ClaimedBatch, nowMs: number, isUnstorable: boolean): { countable: CountableEvent[]; letters: DeadLetter[] } {
  const countable: CountableEvent[] = [];
  const letters: DeadLetter[] = claimed.unplaced.map((source) => ({ source, reason: 'unplaced', isPlaced: false }));
  for (const source of claimed.fresh) {
    const decoded = decodeUsageEvent(source.payload, nowMs);
    if (decoded.kind === 'dead-letter') letters.push({ source, reason: decoded.reason, isPlaced: true });
    else if (isUnstorable) letters.push({ source, reason: 'unstorable', isPlaced: true });
    else countable.push({ source, decoded });
  }
  return { countable, letters };
}

function warnOfRecreatedTopic(log: DatabaseLog, source: BatchSource, previousOffset: bigint | null): void {
  if (previousOffset !== null && source.nextOffset < previousOffset) {
    log.warn(
      { topic: source.topic, partition: source.partition, offset: String(source.nextOffset), previousOffset: String(previousOffset) },
      'the bus goes on before where it was: repeated delivery, or the topic was created anew',
    );
  }
}
