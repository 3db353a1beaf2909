import { usageEvent, type UsageEvent } from '@weir/contracts';
import { readEnds, type UsageJournal } from '@weir/usage-journal';

/** The events of a journal from a sequence on that belong to held requests, in their order. */
export async function* readHeldEnds(journal: UsageJournal, fromSequence: number): AsyncGenerator<UsageEvent> {
  for await (const batch of readEnds(journal, fromSequence)) yield* batch.flatMap(({ payload }) => decodeHeldEnd(payload));
}

/** An event that cannot be read says nothing about a hold either. */
function decodeHeldEnd(payload: string): UsageEvent[] {
  if (!payload.includes('"hold_id":"')) return [];
  const decoded = usageEvent.safeParse(JSON.parse(payload));
  return decoded.success ? [decoded.data] : [];
}
