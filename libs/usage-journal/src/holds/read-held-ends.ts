import { usageEvent, type UsageEvent } from '@weir/contracts';
import { TailReader } from '../shipping/tail-reader';
import type { UsageJournal } from '../usage-journal';

const BATCH = 1_000;

/** The events of a journal from a sequence on that ended a held request, in their order. */
export async function* readHeldEnds(journal: UsageJournal, fromSequence: number): AsyncGenerator<UsageEvent> {
  await journal.flush(); // a reader sees only what is safe on disk
  const { tail, writerId, epoch } = journal;
  const reader = new TailReader({ tail, writerId, epoch }, Math.max(fromSequence, tail.trimmedBelow));
  try {
    for (let batch = await reader.next(BATCH); batch.length > 0; batch = await reader.next(BATCH)) {
      yield* batch.flatMap(({ payload }) => decodeHeldEnd(payload));
    }
  } finally {
    await reader.close();
  }
}

/** An event that cannot be read says nothing about a hold either. */
function decodeHeldEnd(payload: string): UsageEvent[] {
  if (!payload.includes('"hold_id":"')) return [];
  const decoded = usageEvent.safeParse(JSON.parse(payload));
  return decoded.success && decoded.data.logical ? [decoded.data] : [];
}
