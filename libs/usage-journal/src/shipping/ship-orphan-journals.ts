import { NODE_TIMERS } from '@weir/contracts';
import { openOrphanJournals } from '../create-usage-journal';
import type { UsageJournal, UsageJournalOptions } from '../usage-journal';
import { createJournalShipper, type JournalShipper, type JournalShipperOptions } from './create-journal-shipper';
import { waitUntilWritten } from './wait-until-written';

type OrphanShipping = {
  /** The writers that were found. */
  readonly writerIds: readonly string[];
  /** Those that are not wholly aggregated yet. */
  list(): readonly OrphanJournal[];
  /** Of all of these together. */
  bytes(): number;
  /** What recovery found in all of them. */
  readonly recovered: { readonly lostSequences: number };
  /** True when everything they left was published within the time. */
  drain(timeoutMs: number): Promise<boolean>;
  /** True when everything they left was known to be aggregated within the time. */
  drainToWatermark(timeoutMs: number): Promise<boolean>;
  /** Resolves when every one of them is removed, or shipping was closed. */
  readonly retired: Promise<void>;
  close(): Promise<void>;
};

export type OrphanJournal = { readonly journal: UsageJournal; readonly shipper: JournalShipper };

type OrphanOptions = Omit<JournalShipperOptions, 'journal'> & {
  readonly journals: UsageJournalOptions;
  readonly alertEveryMs?: number;
  /** Called with each writer of which all is aggregated, before its folder is removed; called again until it resolves. */
  readonly onAggregated?: (writerId: string) => Promise<void>;
};

/** The longest a timer can wait. */
const FOR_EVER_MS = 2 ** 31 - 1;
/** An aggregator that works needs seconds; after this long somebody should look. */
const ALERT_EVERY_MS = 600_000;
const REPORT_AGAIN_MS = 1_000;

/**
 * Recovers and ships what processes before us left under writer ids no one uses any more. Each folder is removed once
 * all of it is known to be aggregated; until then it stays, and the next process tries again.
 */
export function shipOrphanJournals(options: OrphanOptions): OrphanShipping {
  const { journals, alertEveryMs: _alertEveryMs, onAggregated: _onAggregated, ...shipperOptions } = options;
  const closing = createClosing();
  const kept = new Set<OrphanJournal>();
  let lostSequences = 0;
  const shipped = openOrphanJournals(journals).map((journal) => {
    const shipper = createJournalShipper({ ...shipperOptions, journal });
    const orphan = { journal, shipper };
    kept.add(orphan);
    lostSequences += journal.stats().recovered.lostSequences;
    const retired = retireWhenAggregated(orphan, options, closing).then((isRetired) => {
      if (isRetired) kept.delete(orphan);
    });
    return { ...orphan, retired };
  });
  const all = async (isDone: (shipper: JournalShipper) => Promise<boolean>): Promise<boolean> =>
    (await Promise.all([...kept].map(({ shipper }) => isDone(shipper)))).every(Boolean);
  return {
    list: () => [...kept],
    bytes: () => {
      let bytes = 0;
      for (const { journal } of kept) bytes += journal.stats().bytes;
      return bytes;
    },
    recovered: { lostSequences },
    writerIds: shipped.map(({ journal }) => journal.writerId),
    retired: Promise.all(shipped.map(({ retired }) => retired)).then(() => undefined),
    drain: (timeoutMs) => all((shipper) => shipper.drain(timeoutMs)),
    drainToWatermark: (timeoutMs) => all((shipper) => shipper.drainToWatermark(timeoutMs)),
    close: async () => {
      closing.close();
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

type Closing = { readonly closed: Promise<void>; isClosed(): boolean; close(): void };

function createClosing(): Closing {
  let isClosed = false;
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  void closed.then(() => (isClosed = true));
  return { closed, close, isClosed: () => isClosed };
}

/** True when it is gone. Its writer is forgotten first: were it the other way round, a death in between would leave it known for ever. */
async function retireWhenAggregated({ journal, shipper }: OrphanJournal, options: OrphanOptions, closing: Closing): Promise<boolean> {
  const { writerId } = journal;
  const { timers = NODE_TIMERS } = options;
  options.log?.info({ writerId, ...journal.stats() }, 'an abandoned usage journal is being shipped');
  const alert = timers
    .setInterval(() => {
      options.log?.error(
        { writerId, ...shipper.stats() },
        'an abandoned usage journal is still not aggregated: is the aggregator running?',
      );
    }, options.alertEveryMs ?? ALERT_EVERY_MS)
    .unref();
  await waitUntilWritten(journal, { timers, isClosed: closing.isClosed });
  const isAggregated = await shipper.drainToWatermark(FOR_EVER_MS);
  timers.clearInterval(alert);
  if (!isAggregated || !(await reportAggregated(writerId, options, closing))) return false;
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

/** False when it was closed before anyone took the report. */
async function reportAggregated(writerId: string, options: OrphanOptions, closing: Closing): Promise<boolean> {
  const { timers = NODE_TIMERS } = options;
  while (!closing.isClosed()) {
    try {
      await options.onAggregated?.(writerId);
      return true;
    } catch (error) {
      options.log?.warn({ error, writerId }, 'that an abandoned usage journal is wholly aggregated could not be reported; trying again');
    }
    await Promise.race([closing.closed, new Promise<void>((resolve) => timers.setTimeout(resolve, REPORT_AGAIN_MS).unref())]);
  }
  return false;
}
