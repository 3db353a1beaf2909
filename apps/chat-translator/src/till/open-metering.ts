import type { SequencedUsageEvent } from '@weir/contracts';
import type { Logger } from '@weir/telemetry';
import type { WatermarkStore } from '@weir/usage';
import {
  createCrashCloser,
  createJournalShipper,
  createTill,
  createUsageJournal,
  shipOrphanJournals,
  type Till,
} from '@weir/usage-journal';

export type MeteringOptions = {
  readonly directory: string;
  readonly durability: 'process' | 'power';
  readonly bytesMax: number;
  readonly publish: (events: SequencedUsageEvent[]) => Promise<void>;
  readonly watermarks: WatermarkStore;
  readonly log: Logger;
  /** Told how many sequence numbers a damaged journal could not give back. */
  readonly onLost: (sequences: number) => void;
  /** The journal cannot be written any more: nothing runs unmetered, so the process must end. */
  readonly onFailure: () => void;
};

/** Where this worker's usage is journalled and shipped from. */
export type Metering = {
  readonly till: Till;
  /** False while usage could not be journalled: new requests must then be refused. */
  isReady(): boolean;
  /** Null when last bytes need not wait for the disk. */
  readonly whenDurable: (() => Promise<void>) | null;
  /** Waits until everything is published (`published`) or known to be aggregated, or the time is over. */
  drain(timeoutMs: number, until: 'published' | 'aggregated'): Promise<boolean>;
  close(): Promise<void>;
};

/** Opens the journal, recovering what a killed process left, and ships from it, other writers' leavings included. */
export function openMetering(options: MeteringOptions): Metering {
  const { publish, watermarks, log } = options;
  const journals = {
    directory: options.directory,
    durability: options.durability,
    bytesMax: options.bytesMax,
    closeCrashed: createCrashCloser({ now: Date.now }),
    now: Date.now,
    log,
    onFailure: (error: Error) => {
      log.fatal({ error }, 'the usage journal cannot be written: no request runs unmetered, so this process ends');
      options.onFailure();
    },
  };
  const journal = createUsageJournal(journals);
  const orphans = shipOrphanJournals({ journals, publish, watermarks, log });
  const shipper = createJournalShipper({ journal, publish, watermarks, log });
  options.onLost(journal.stats().recovered.lostSequences);
  return {
    till: createTill({ journal, now: Date.now }),
    isReady: () => journal.isAccepting,
    whenDurable: options.durability === 'power' ? () => journal.whenDurable() : null,
    drain: (timeoutMs, until) => (until === 'published' ? shipper.drain(timeoutMs) : shipper.drainToWatermark(timeoutMs)),
    close: async () => {
      await orphans.close();
      await shipper.close();
      await journal.close();
    },
  };
}
