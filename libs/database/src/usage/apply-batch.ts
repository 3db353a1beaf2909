import { foldBatch, type AppliedBatch, type BatchSource } from '@weir/usage';
import type { Pool, PoolClient } from 'pg';
import type { DatabaseLog } from '../database-log';
import { claimBatch } from './claim-batch';
import type { JournalledEvent } from './decode-batch';
import { listFreshSequences, markSeen, moveOffset, readWatermarks, type FreshSequences } from './mark-seen';
import type { SeriesDirectory, SeriesIds } from './series-directory';
import { writeDeadLetters, writeEvents, type CountableEvent, type DeadLetter } from './write-events';
import { writeLedger } from './write-ledger';
import { writeRollups } from './write-rollups';

export type ApplyParts = {
  readonly pool: Pool;
  readonly log: DatabaseLog;
  readonly series: SeriesDirectory;
};

export type Batch = {
  readonly events: readonly JournalledEvent[];
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
  { log, series }: ApplyParts,
  client: PoolClient,
  { events, source, isUnstorable = false }: Batch,
): Promise<{ applied: AppliedBatch; seriesIds: SeriesIds }> {
  const placed = events.filter(({ isPlaced }) => isPlaced);
  const claimed = await claimBatch(client, placed, source);
  const { countable, letters } = sortOut([...events.filter(({ isPlaced }) => !isPlaced), ...claimed.fresh], isUnstorable);
  const fresh = listFreshSequences(claimed.fresh);
  await writeDeadLetters(client, letters);
  const seriesIds = await countEvents({ client, series, countable, fresh });
  await markSeen(client, fresh);
  if (source !== null) {
    warnOfRecreatedTopic(log, source, claimed.previousOffset);
    await moveOffset(client, source);
  }
  const watermarks = await readWatermarks(client, [...new Set(placed.map(({ writerId }) => writerId))]);
  return { seriesIds, applied: { applied: countable.length, duplicates: claimed.duplicates, deadLettered: letters.length, watermarks } };
}

type Counting = {
  readonly client: PoolClient;
  readonly series: SeriesDirectory;
  readonly countable: readonly CountableEvent[];
  readonly fresh: readonly FreshSequences[];
};

async function countEvents({ client, series, countable, fresh }: Counting): Promise<SeriesIds> {
  if (countable.length === 0) return new Map();
  const folded = foldBatch(countable.map(({ decoded }) => decoded));
  const seriesIds = await series.resolve(client, folded.series);
  // Raw events are this batch's own and take longest; rollup rows are everybody's, so they are locked last and shortly.
  await writeEvents(client, countable);
  await writeRollups(client, folded, seriesIds);
  await writeLedger(client, folded.billed, fresh);
  return seriesIds;
}

function sortOut(events: readonly JournalledEvent[], isUnstorable: boolean): { countable: CountableEvent[]; letters: DeadLetter[] } {
  const countable: CountableEvent[] = [];
  const letters: DeadLetter[] = [];
  for (const event of events) {
    const { decoded } = event;
    if (!event.isPlaced) letters.push({ event, reason: 'unplaced' });
    else if (decoded.kind === 'dead-letter') letters.push({ event, reason: decoded.reason });
    else if (isUnstorable) letters.push({ event, reason: 'unstorable' });
    else countable.push({ place: event, decoded });
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
