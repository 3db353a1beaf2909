import type { SequencedUsageEvent } from '@weir/contracts';
import { decodeUsageEvent, type DecodedUsageEvent } from '@weir/usage';

/** An event of a batch, read before any lock is taken. */
export type JournalledEvent = {
  /** Lower case. */
  readonly writerId: string;
  readonly epoch: number;
  readonly sequence: bigint;
  /** Whether writer and sequence are a place that can be marked seen. */
  readonly isPlaced: boolean;
  /** As it came. */
  readonly payload: string;
  readonly decoded: DecodedUsageEvent;
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SEQUENCE_MAX = 2n ** 62n;

export function decodeBatch(events: readonly SequencedUsageEvent[], nowMs: number): JournalledEvent[] {
  return events.map(({ writerId, epoch, sequence, payload }) => {
    const lowered = writerId.toLowerCase();
    const isPlaced = UUID.test(lowered) && sequence >= 0n && sequence < SEQUENCE_MAX;
    return { writerId: lowered, epoch, sequence, isPlaced, payload, decoded: decodeUsageEvent(payload, nowMs) };
  });
}
