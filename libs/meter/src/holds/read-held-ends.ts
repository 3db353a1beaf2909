import { usageEvent, type UsageEvent } from '@weir/contracts';
import { readEnds, type UsageJournal } from '@weir/usage-journal';

/** The events of a journal from a sequence on that belong to held requests, in their order; those too that a full disk has not taken yet. */
export async function* readHeldEnds(journal: UsageJournal, fromSequence: number): AsyncGenerator<UsageEvent> {
  // Listed before: while segments are read, they may be written.
  const unwritten = journal.listUnwritten().flatMap(decodeHeldEnd);
  const missing = new Set(unwritten.map(({ event_id: id }) => id));
  for await (const batch of readEnds(journal, fromSequence)) {
    for (const event of batch.flatMap(({ payload }) => decodeHeldEnd(payload))) {
      missing.delete(event.event_id);
      yield event;
    }
  }
  yield* unwritten.filter(({ event_id: id }) => missing.has(id));
}

/** An event that cannot be read says nothing about a hold either. */
function decodeHeldEnd(payload: string): UsageEvent[] {
  if (!payload.includes('"hold_id":"')) return [];
  const decoded = usageEvent.safeParse(JSON.parse(payload));
  return decoded.success ? [decoded.data] : [];
}
