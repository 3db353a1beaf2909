import type { FailPoint, Passport, SequencedUsageEvent } from '@weir/contracts';
import type { HoldStore } from '@weir/limits';
import type { JournalReading, Logger } from '@weir/telemetry';
import type { WatermarkStore } from '@weir/usage';
import { createCrashCloser } from '../create-crash-closer';
import { createUsageJournal } from '../create-usage-journal';
import { createHoldKeeper } from '../holds/hold-keeper';
import { readHeldEnds } from '../holds/read-held-ends';
import { createJournalShipper, type JournalShipper } from '../shipping/create-journal-shipper';
import { shipOrphanJournals, type OrphanShipping } from '../shipping/ship-orphan-journals';
import { createTill, type Till } from '../till';
import type { UsageJournal } from '../usage-journal';

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
  /** Told how many sequence numbers a damaged journal could not give back. */
  readonly onLost: (sequences: number) => void;
  /** The journal cannot be written any more: nothing runs unmetered, so the process must end. */
  readonly onFailure: () => void;
  readonly failPoint?: FailPoint;
  readonly holds: { readonly store: HoldStore; readonly ttlMs: number };
};

/** Where this worker's usage is journalled and shipped from. */
export type Metering = {
  readonly till: Till;
  /** A request is over: what is still held of it is settled. */
  finishHold(passport: Passport): void;
  /** For a store of holds that knows nothing yet of what is in the journal. */
  tellHoldsAgain(): void;
  /** False while usage could not be journalled: new requests must then be refused. */
  isReady(): boolean;
  /** For metrics. */
  read(): JournalReading;
  /** Null when last bytes need not wait for the disk. */
  readonly whenDurable: (() => Promise<void>) | null;
  /** Waits until everything is published (`published`) or known to be aggregated, or the time is over. */
  drain(timeoutMs: number, until: 'published' | 'aggregated'): Promise<boolean>;
  close(): Promise<void>;
};

/** The longest a timer can wait. */
const FOR_EVER_MS = 2 ** 31 - 1;

/** Opens the journal, recovering what a killed process left, and ships from it, other writers' leavings included. */
export function openMetering(options: MeteringOptions): Metering {
  const { publish, watermarks, log, failPoint, resendAfterMs } = options;
  const journals = {
    directory: options.directory,
    durability: options.durability,
    bytesMax: options.bytesMax,
    segmentBytesMax: options.segmentBytesMax,
    closeCrashed: createCrashCloser({ now: Date.now }),
    now: Date.now,
    log,
    ...(failPoint === undefined ? {} : { failPoint }),
    onFailure: (error: Error) => {
      log.fatal({ error }, 'the usage journal cannot be written: no request runs unmetered, so this process ends');
      options.onFailure();
    },
  };
  const journal = createUsageJournal(journals);
  const orphans = shipOrphanJournals({ journals, publish, watermarks, resendAfterMs, log });
  const shipper = createJournalShipper({ journal, publish, watermarks, resendAfterMs, log });
  options.onLost(journal.stats().recovered.lostSequences);
  const { store, ttlMs } = options.holds;
  const keeper = createHoldKeeper({
    till: createTill({ journal, now: Date.now, log }),
    store,
    ttlMs,
    writerId: journal.writerId,
    recovered: shipper.drainToWatermark(FOR_EVER_MS),
    readHeldEnds: () => readHeldEnds(journal, shipper.stats().aggregatedBelow),
    now: Date.now,
    log,
  });
  void orphans.retired.then(() => (orphans.count() === 0 ? retireWriters(store, orphans.writerIds, log) : undefined));
  return {
    till: keeper.till,
    finishHold: (passport) => keeper.finish(passport),
    tellHoldsAgain: () => keeper.tellAgain(),
    isReady: () => journal.isAccepting,
    read: () => describeJournal(journal, shipper, orphans),
    whenDurable: options.durability === 'power' ? () => journal.whenDurable() : null,
    drain: (timeoutMs, until) => (until === 'published' ? shipper.drain(timeoutMs) : shipper.drainToWatermark(timeoutMs)),
    close: async () => {
      const isPublished = await shipper.drain(0);
      if ((await keeper.close()) && isPublished) await retireWriters(store, [journal.writerId], log);
      await orphans.close();
      await shipper.close();
      await journal.close();
    },
  };
}

/** Nothing is left in their journals: holds that expired are not waited for on their account. */
async function retireWriters(store: HoldStore, writerIds: readonly string[], log: Logger): Promise<void> {
  for (const writerId of writerIds) {
    await store.retireWriter(writerId).catch((error: unknown) => {
      log.warn({ error, writerId }, 'a writer that is gone could not be told to the counters of limits');
    });
  }
}

function describeJournal(journal: UsageJournal, shipper: JournalShipper, orphans: OrphanShipping): JournalReading {
  const { bytes, bytesMax, open, nextSequence, oldestSegmentAgeMs, lastSyncMs } = journal.stats();
  const { publishedBelow, aggregatedBelow, watermarkLagMs } = shipper.stats();
  return {
    bytes,
    bytesMax,
    openAttempts: open,
    oldestSegmentMs: oldestSegmentAgeMs,
    lastSyncMs,
    unpublished: Math.max(0, nextSequence - publishedBelow),
    unaggregated: Math.max(0, nextSequence - aggregatedBelow),
    watermarkLagMs,
    orphans: orphans.count(),
  };
}
