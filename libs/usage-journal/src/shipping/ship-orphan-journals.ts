import { openOrphanJournals } from '../create-usage-journal';
import type { UsageJournal, UsageJournalOptions } from '../usage-journal';
import { createJournalShipper, type JournalShipper, type JournalShipperOptions } from './create-journal-shipper';

export type OrphanShipping = {
  /** The writers that were found. */
  readonly writerIds: readonly string[];
  /** How many of them are not wholly aggregated yet. */
  count(): number;
  /** Answers whether everything they left was published within the time. */
  drain(timeoutMs: number): Promise<boolean>;
  /** Resolves when every one of them is removed, or shipping was closed. */
  readonly retired: Promise<void>;
  close(): Promise<void>;
};

type OrphanOptions = Omit<JournalShipperOptions, 'journal'> & {
  readonly journals: UsageJournalOptions;
  readonly alertEveryMs?: number;
};

/** The longest a timer can wait. */
const FOR_EVER_MS = 2 ** 31 - 1;
/** An aggregator that works needs seconds; after this long somebody should look. */
const ALERT_EVERY_MS = 600_000;

/**
 * Recovers and ships what processes before us left under writer ids nobody uses any more. Each folder is removed once
 * all of it is known to be aggregated; until then it stays, and the next process tries again.
 */
export function shipOrphanJournals(options: OrphanOptions): OrphanShipping {
  const { journals, alertEveryMs: _alertEveryMs, ...shipperOptions } = options;
  let count = 0;
  const shipped = openOrphanJournals(journals).map((journal) => {
    const shipper = createJournalShipper({ ...shipperOptions, journal });
    count += 1;
    const retired = retireWhenAggregated(journal, shipper, options).then((isRetired) => {
      if (isRetired) count -= 1;
    });
    return { journal, shipper, retired };
  });
  return {
    count: () => count,
    writerIds: shipped.map(({ journal }) => journal.writerId),
    retired: Promise.all(shipped.map(({ retired }) => retired)).then(() => undefined),
    drain: async (timeoutMs) => (await Promise.all(shipped.map(({ shipper }) => shipper.drain(timeoutMs)))).every(Boolean),
    close: async () => {
      await Promise.all(
        shipped.map(async ({ journal, shipper, retired }) => {
          await shipper.close();
          await retired;
          await journal.close();
        }),
      );
    },
  };
}

/** Answers whether it is gone. */
async function retireWhenAggregated(journal: UsageJournal, shipper: JournalShipper, options: OrphanOptions): Promise<boolean> {
  const { writerId } = journal;
  options.log?.info({ writerId, ...journal.stats() }, 'an abandoned usage journal is being shipped');
  const alert = setInterval(() => {
    options.log?.error({ writerId, ...shipper.stats() }, 'an abandoned usage journal is still not aggregated: is the aggregator running?');
  }, options.alertEveryMs ?? ALERT_EVERY_MS).unref();
  const isAggregated = await shipper.drainToWatermark(FOR_EVER_MS);
  clearInterval(alert);
  if (!isAggregated) return false;
  try {
    await shipper.close();
    await journal.retire();
    options.log?.info({ writerId }, 'an abandoned usage journal is wholly aggregated and was removed');
    return true;
  } catch (error) {
    options.log?.warn({ error, writerId }, 'an abandoned usage journal could not be removed');
    return false;
  }
}
