import type { UsageEvent } from '@weir/contracts';
import { createMemoryFreeModelDays } from '@weir/limits';
import { createFreeSlotKeeper, createMeter, type WorkerMetering } from '@weir/meter';

export type MemoryMetering = {
  readonly metering: WorkerMetering;
  /** Usage events, in the order of their ends. */
  readonly events: UsageEvent[];
  /** The ids of those begun, and beside them what was journalled before an attempt was sent, as a crash would find it. */
  readonly begun: string[];
  readonly drafts: string[];
  /** Resolves with the next event that ends. */
  nextEvent(): Promise<UsageEvent>;
};

/** A worker's money path with a journal in memory that always accepts, and nothing behind it. */
export function createMemoryMetering(): MemoryMetering {
  const events: UsageEvent[] = [];
  const begun: string[] = [];
  const drafts: string[] = [];
  const waiting: ((event: UsageEvent) => void)[] = [];
  const journal: Parameters<typeof createMeter>[0]['journal'] = {
    begin: (id, draft) => {
      begun.push(id);
      drafts.push(draft);
    },
    progress: () => undefined,
    end: (_id, rest, facts) => {
      const event = JSON.parse(`${facts?.text ?? ''}${rest}`) as UsageEvent;
      for (const report of waiting.splice(0)) report(event);
      return { sequence: BigInt(events.push(event)) };
    },
  };
  return {
    metering: {
      requests: {
        meter: createMeter({ journal, now: Date.now }),
        slots: createFreeSlotKeeper({
          freeModelDays: createMemoryFreeModelDays({ countSlots: () => Promise.resolve(0), keptMs: 60_000, now: Date.now }),
          now: Date.now,
          onLost: () => undefined,
        }),
      },
      isMeteringReady: () => true,
      whenDurable: () => null,
    },
    events,
    begun,
    drafts,
    nextEvent: () => new Promise((resolve) => waiting.push(resolve)),
  };
}
