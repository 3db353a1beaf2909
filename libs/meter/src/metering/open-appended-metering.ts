import type { JournalReading } from '@weir/telemetry';
import {
  createUsageJournal,
  DISK_CALLS,
  keepTrimmed,
  measureOtherJournals,
  type JournalTrimming,
  type UsageJournal,
} from '@weir/usage-journal';
import { createHoldKeeper } from '../holds/hold-keeper';
import { readHeldEnds } from '../holds/read-held-ends';
import { createMeter } from '../meter';
import { describeJournalOptions } from './describe-journal-options';
import type { Metering, MeteringOptions } from './open-metering';

/** What others have not shipped yet fills the same disk: above this part of the limit nothing new is accepted. */
const OTHERS_SHARE = 0.95;
const MEASURE_EVERY_MS = 5_000;

/**
 * The metering of a process whose journal another one ships: it appends, trims by what that one has counted, and reports its
 * holds. What it leaves when it ends is for that one to recover.
 */
export function openAppendedMetering(options: Omit<MeteringOptions, 'publish' | 'resendAfterMs'>): Metering {
  const { watermarks, log } = options;
  const journal = createUsageJournal(describeJournalOptions(options));
  const trimming = keepTrimmed({ journal, watermarks, log });
  const { store, ttlMs } = options.holds;
  const keeper = createHoldKeeper({
    store,
    ttlMs,
    writerId: journal.writerId,
    recovered: Promise.resolve(),
    whenDurable: () => journal.whenDurable(),
    readHeldEnds: () => readHeldEnds(journal, trimming.aggregatedBelow),
    now: Date.now,
    log,
  });
  const others = watchOthers(journal, options);
  return {
    meter: createMeter({ journal, now: Date.now, log }),
    holds: keeper,
    reportHoldsAgain: () => keeper.reportAgain(),
    diskCalls: DISK_CALLS,
    isReady: () => journal.isAccepting && others.bytes() < options.bytesMax * OTHERS_SHARE,
    read: () => describeAppended(journal, trimming),
    whenDurable: () => journal.whenDurable(),
    drain: () => Promise.resolve(true),
    close: async () => {
      others.stop();
      await keeper.close();
      await trimming.close();
      await journal.close();
    },
  };
}

/** What is not aggregated is counted here: who ships it knows of an end only after reading it back from the disk. */
function describeAppended(journal: UsageJournal, { aggregatedBelow }: JournalTrimming): JournalReading {
  const { bytes, bytesMax, lastSyncMs, open, unwritten, oldestSegmentAgeMs, nextSequence } = journal.stats();
  return {
    ...{ bytes, bytesMax, lastSyncMs, openAttempts: open, unwritten, oldestSegmentMs: oldestSegmentAgeMs },
    unaggregated: Math.max(0, nextSequence - aggregatedBelow),
    ...{ unpublished: 0, watermarkLagMs: 0, orphans: 0 }, // reported by who ships it
  };
}

function watchOthers({ writerId }: UsageJournal, { directory, log }: Pick<MeteringOptions, 'directory' | 'log'>) {
  let bytes = 0;
  const measure = (): void => {
    try {
      bytes = measureOtherJournals(directory, writerId);
    } catch (error) {
      log.warn({ error }, 'the journals of other processes could not be measured; trying again');
    }
  };
  measure();
  const timer = setInterval(measure, MEASURE_EVERY_MS).unref();
  return { bytes: () => bytes, stop: () => clearInterval(timer) };
}
