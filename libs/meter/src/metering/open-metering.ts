import type { FailPoint, SequencedUsageEvent, UsageEvent } from '@weir/contracts';
import type { HoldStore } from '@weir/limits';
import type { JournalReading, Logger } from '@weir/telemetry';
import type { WatermarkStore } from '@weir/usage';
import { createJournalShipper, createUsageJournal, DISK_CALLS, shipOrphanJournals, type OrphanJournal } from '@weir/usage-journal';
import { createHoldKeeper, type HoldKeeper } from '../holds/hold-keeper';
import { readHeldEnds } from '../holds/read-held-ends';
import { createMeter, type Meter } from '../meter';
import { describeJournalOptions, type Surroundings } from './describe-journal-options';

export type MeteringOptions = {
  readonly directory: string;
  readonly durability: 'process' | 'power';
  readonly bytesMax: number;
  readonly segmentBytesMax: number;
  /** See JournalShipperOptions. */
  readonly resendAfterMs: number;
  readonly publish: (events: SequencedUsageEvent[]) => Promise<void>;
  readonly watermarks: WatermarkStore;
  readonly log: Logger;
  /** Called with how many sequence numbers a damaged journal could not give back. */
  readonly onLost: (sequences: number) => void;
  /** Called when files of a journal turn out to be removed, cut or older than what was sent from them. */
  readonly onHarm: () => void;
  /** The journal cannot be written any more: nothing runs unmetered, so the process must end. */
  readonly onFailure: () => void;
  readonly failPoint?: FailPoint;
  readonly holds: { readonly store: HoldStore; readonly ttlMs: number };
  readonly surroundings?: Partial<Surroundings>;
};

/** Where this worker's usage is journalled and shipped from. */
export type Metering = {
  readonly meter: Meter;
  readonly holds: HoldKeeper;
  /** For a store of holds that knows nothing yet of what is in the journal. */
  reportHoldsAgain(): void;
  /** False while usage could not be journalled: new requests must then be refused. */
  isReady(): boolean;
  /** 1 while the main thread waits for the journal's disk; memory that threads share. */
  readonly diskCalls: Int32Array;
  /** For metrics. */
  read(): JournalReading;
  /** Returns null when last bytes need not wait for the disk. */
  readonly whenDurable: () => Promise<void> | null;
  /** Waits until everything is published (`published`) or known to be aggregated, or the time is over. */
  drain(timeoutMs: number, until: 'published' | 'aggregated'): Promise<boolean>;
  close(): Promise<void>;
};

/** One process after another that cannot ship must not fill the disk: above it nothing new is accepted. */
const ORPHANS_SHARE = 0.95;

/** Opens the journal, recovering what a killed process left, and ships from it, other writers' leavings included. */
export function openMetering(options: MeteringOptions): Metering {
  const { publish, watermarks, log, resendAfterMs, surroundings = {} } = options;
  const { now = Date.now, elapsed, timers } = surroundings;
  const clock = { ...(elapsed === undefined ? {} : { elapsed }), ...(timers === undefined ? {} : { timers }) };
  const journals = describeJournalOptions(options);
  const journal = createUsageJournal(journals);
  const { store, ttlMs } = options.holds;
  const orphans = shipOrphanJournals({
    ...{ journals, publish, watermarks, resendAfterMs, now, log },
    ...clock,
    onAggregated: (writerId) => store.retireWriter(writerId),
  });
  const shipper = createJournalShipper({ journal, publish, watermarks, resendAfterMs, now, log, ...clock });
  options.onLost(orphans.recovered.lostSequences);
  const own: OrphanJournal = { journal, shipper };
  const keeper = createHoldKeeper({
    store,
    ttlMs,
    writerId: journal.writerId,
    recovered: Promise.resolve(),
    whenDurable: () => journal.whenDurable(),
    readHeldEnds: () => readAllHeldEnds([...orphans.list(), own]),
    now,
    log,
    ...(timers === undefined ? {} : { timers }),
  });
  if (orphans.list().length > 0) keeper.reportLeft();
  return {
    meter: createMeter({ journal, now, log, ...(elapsed === undefined ? {} : { elapsed }) }),
    holds: keeper,
    reportHoldsAgain: () => keeper.reportAgain(),
    diskCalls: DISK_CALLS,
    isReady: () => journal.isAccepting && orphans.bytes() < options.bytesMax * ORPHANS_SHARE,
    read: () => describeJournals(own, orphans.list()),
    whenDurable: () => journal.whenDurable(),
    drain: async (timeoutMs, until) => {
      const drains = [shipper, orphans].map((one) => (until === 'published' ? one.drain(timeoutMs) : one.drainToWatermark(timeoutMs)));
      return (await Promise.all(drains)).every(Boolean);
    },
    close: async () => {
      const isPublished = await shipper.drain(0);
      const isForgotten = (await keeper.close()) && isPublished && (await retireFromStore(store, journal.writerId, log));
      await orphans.close();
      await shipper.close();
      const isAggregated = shipper.stats().aggregatedBelow >= journal.tail.nextSequence && journal.stats().open === 0;
      // A writer that counters still know needs its folder: the next process has it forgotten then.
      await (isAggregated && isForgotten ? journal.retire() : journal.close());
    },
  };
}

/** Nothing is left in its journal: holds that expired are not waited for on its account. */
async function retireFromStore(store: HoldStore, writerId: string, log: Logger): Promise<boolean> {
  try {
    await store.retireWriter(writerId);
    return true;
  } catch (error) {
    log.warn({ error, writerId }, 'a retired writer could not be removed from the limit counters');
    return false;
  }
}

async function* readAllHeldEnds(journals: readonly OrphanJournal[]): AsyncGenerator<UsageEvent> {
  for (const { journal, shipper } of journals) yield* readHeldEnds(journal, shipper.stats().aggregatedBelow);
}

/** What dead processes left counts with our own: it fills the same disk and waits for the same bus. */
function describeJournals(own: OrphanJournal, orphans: readonly OrphanJournal[]): JournalReading {
  const readings = [own, ...orphans].map(({ journal, shipper }) => ({ ...journal.stats(), ...shipper.stats() }));
  const sum = (pick: (reading: (typeof readings)[number]) => number): number => readings.reduce((total, one) => total + pick(one), 0);
  const highest = (pick: (reading: (typeof readings)[number]) => number): number => Math.max(...readings.map(pick));
  const { bytesMax, lastSyncMs } = own.journal.stats();
  return {
    bytesMax,
    lastSyncMs,
    bytes: sum(({ bytes }) => bytes),
    openAttempts: sum(({ open }) => open),
    unwritten: sum(({ unwritten }) => unwritten),
    oldestSegmentMs: highest(({ oldestSegmentAgeMs }) => oldestSegmentAgeMs),
    unpublished: sum(({ nextSequence, publishedBelow }) => Math.max(0, nextSequence - publishedBelow)),
    unaggregated: sum(({ nextSequence, aggregatedBelow }) => Math.max(0, nextSequence - aggregatedBelow)),
    watermarkLagMs: highest(({ watermarkLagMs }) => watermarkLagMs),
    orphans: orphans.length,
  };
}
