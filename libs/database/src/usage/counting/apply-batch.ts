import type { FailPoint } from '@weir/contracts';
import type { AppliedBatch, BatchSource } from '@weir/usage';
import type { Pool, PoolClient } from 'pg';
import type { DatabaseLog } from '../../postgres/database-log';
import { runInTransaction } from '../../postgres/run-in-transaction';
import { claimBatch } from './claim-batch';
import { countEvents, type CountingParts } from './count-events';
import type { JournalledEvent } from './decode-batch';
import { findTaken } from './find-taken';
import { listHolds } from './list-holds';
import { listFreshSequences, markSeen, moveOffset, readWatermarks } from './mark-seen';
import { writeDeadLetters, type CountableEvent, type DeadLetter } from './write-events';

export type ApplyParts = CountingParts & {
  readonly pool: Pool;
  readonly failPoint: FailPoint;
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
  const { applied, remember } = await runInTransaction(parts.pool, (client) => applyInTransaction(parts, client, batch));
  remember();
  return { ...applied, holds: listHolds(batch.events, applied.watermarks) };
}

async function applyInTransaction(
  parts: ApplyParts,
  client: PoolClient,
  { events, source, isUnstorable = false }: Batch,
): Promise<{ applied: Omit<AppliedBatch, 'holds'>; remember: () => void }> {
  const placed = events.filter(({ isPlaced }) => isPlaced);
  const claimed = await claimBatch(client, placed, source);
  const { countable, letters } = sortOut([...events.filter(({ isPlaced }) => !isPlaced), ...claimed.fresh], isUnstorable);
  const fresh = listFreshSequences(claimed.fresh);
  const taken = await findTaken(client, claimed.repeats);
  if (taken.length > 0) warnOfTakenPlaces(parts.log, taken);
  letters.push(...taken.map((event): DeadLetter => ({ event, reason: 'sequence_taken' })));
  await writeDeadLetters(client, letters);
  const remember = await countEvents(parts, client, countable, fresh);
  await markSeen(client, fresh);
  if (source !== null) {
    warnOfRecreatedTopic(parts.log, source, claimed.previousOffset);
    await moveOffset(client, source);
  }
  const watermarks = await readWatermarks(client, [...new Set(placed.map(({ writerId }) => writerId))]);
  parts.failPoint('agg.tx.before_commit');
  const duplicates = claimed.repeats.length - taken.length;
  return { remember, applied: { applied: countable.length, duplicates, deadLettered: letters.length, watermarks } };
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

/** A journal gave a sequence out twice, as one that was put back from a copy does. */
function warnOfTakenPlaces(log: DatabaseLog, taken: readonly JournalledEvent[]): void {
  const sample = taken.slice(0, 10).map(({ writerId, sequence }) => ({ writerId, sequence: String(sequence) }));
  log.error(
    { count: taken.length, sample },
    'usage events came under sequences that were counted for others; they are kept as dead letters',
  );
}

function warnOfRecreatedTopic(log: DatabaseLog, source: BatchSource, previousOffset: bigint | null): void {
  if (previousOffset !== null && source.nextOffset < previousOffset) {
    log.warn(
      { topic: source.topic, partition: source.partition, offset: String(source.nextOffset), previousOffset: String(previousOffset) },
      'the bus goes on before where it was: repeated delivery, or the topic was created anew',
    );
  }
}
