import type { SequencedUsageEvent } from '@weir/contracts';
import type { UsageJournal } from '../usage-journal';
import { TailReader } from './tail-reader';

const BATCH = 1_000;

/** The ends of a journal from a sequence on, in their order and in batches. Those that are trimmed are left out. */
export async function* readEnds(journal: UsageJournal, fromSequence: number): AsyncGenerator<readonly SequencedUsageEvent[]> {
  await journal.flush(); // a reader sees only what is safe on disk
  const { tail, writerId, epoch } = journal;
  const reader = new TailReader({ tail, writerId, epoch }, Math.max(fromSequence, tail.trimmedBelow));
  try {
    for (let batch = await reader.next(BATCH); batch.length > 0; batch = await reader.next(BATCH)) yield batch;
  } finally {
    await reader.close();
  }
}
