import { createGapCounter, createHarmCounter, registerJournalMetrics, type JournalReading, type MetricsRegistry } from '@weir/telemetry';
import { shipAllJournals, type AllShipping } from '@weir/usage-journal';
import { setTimeout as pause } from 'node:timers/promises';
import { readHeldEnds } from '../holds/read-held-ends';
import { registerHeldEnds } from '../holds/register-held-ends';
import { describeJournalOptions } from './describe-journal-options';
import type { MeteringOptions } from './open-metering';
import type { MeteringSettings } from './open-observed-metering';

type BookkeepingOptions = Pick<MeteringOptions, 'directory' | 'log' | 'onFailure' | 'publish' | 'watermarks'> & {
  readonly settings: MeteringSettings;
  readonly store: MeteringOptions['holds']['store'];
  readonly registry: MetricsRegistry;
  /**
   * The counters may have lost what dead processes had reported. Where they are in memory of the same life they have lost nothing, and
   * those that begin wait until it is counted: reported beside, it would come after what confirms it.
   */
  readonly canBeLost: boolean;
};

/** Ships the journals of processes that only append, and stands in for those that are dead. */
export type Bookkeeping = {
  /** Reports what dead writers spent and is not counted yet, to a store of holds that knows nothing of it; again until it is done. */
  reportHoldsAgain(): Promise<void>;
  /** True when all that is in any journal now is known to be aggregated within the time. */
  drain(timeoutMs: number): Promise<boolean>;
  close(): Promise<void>;
};

const AGAIN_AFTER_MS = 250;

export async function openBookkeeping(options: BookkeepingOptions): Promise<Bookkeeping> {
  const { settings, store, registry, log, watermarks, publish } = options;
  const shipping = await shipAllJournals({
    journals: describeJournalOptions({
      ...options,
      durability: settings.USAGE_DURABILITY,
      bytesMax: settings.JOURNAL_BYTES_MAX,
      segmentBytesMax: settings.JOURNAL_SEGMENT_BYTES,
      isNewerAllowed: settings.NEWER_DATA_ALLOWED,
      onHarm: createHarmCounter(registry),
    }),
    ...{ publish, watermarks, log, resendAfterMs: settings.JOURNAL_RESEND_AFTER_MS },
    onLost: createGapCounter(registry),
    onAggregated: (writerId) => store.retireWriter(writerId),
  });
  registerJournalMetrics(registry, () => describeShipping(shipping, settings));
  let isClosed = false;
  const report = async (): Promise<void> => {
    while (!isClosed) {
      try {
        return await registerHeldEnds(store, readAllHeldEnds(shipping));
      } catch (error) {
        log.warn({ error }, 'what dead processes spent could not be reported to the limit counters; trying again');
        await pause(AGAIN_AFTER_MS);
      }
    }
  };
  const stopListening = store.onLoss(() => void report());
  // What they reported themselves may have been lost before this process could learn of a loss.
  if (options.canBeLost && shipping.orphans().length > 0) void report();
  return {
    reportHoldsAgain: report,
    drain: (timeoutMs) => shipping.drain(timeoutMs, 'aggregated'),
    close: async () => {
      isClosed = true;
      stopListening();
      await shipping.close();
    },
  };
}

async function* readAllHeldEnds(shipping: AllShipping): ReturnType<typeof readHeldEnds> {
  for (const { journal, shipper } of shipping.orphans()) yield* readHeldEnds(journal, shipper.stats().aggregatedBelow);
}

type Shipped = ReturnType<AllShipping['living'] | AllShipping['orphans']>[number];

/** The living report their bytes, their attempts and what of them is not aggregated: what they have just written is not read here yet. */
function describeShipping(shipping: AllShipping, settings: MeteringSettings): JournalReading {
  const orphans = shipping.orphans();
  const left = orphans.map(({ journal }) => journal.stats());
  const describe = ({ journal, shipper }: Shipped) => ({ next: journal.tail.nextSequence, ...shipper.stats() });
  const leftBehind = orphans.map(describe);
  const shipped = [...shipping.living().map(describe), ...leftBehind];
  return {
    bytesMax: settings.JOURNAL_BYTES_MAX,
    lastSyncMs: 0,
    bytes: left.reduce((total, { bytes }) => total + bytes, 0),
    openAttempts: 0,
    unwritten: left.reduce((total, { unwritten }) => total + unwritten, 0),
    oldestSegmentMs: Math.max(0, ...left.map(({ oldestSegmentAgeMs }) => oldestSegmentAgeMs)),
    unpublished: shipped.reduce((total, { next, publishedBelow }) => total + Math.max(0, next - publishedBelow), 0),
    unaggregated: leftBehind.reduce((total, { next, aggregatedBelow }) => total + Math.max(0, next - aggregatedBelow), 0),
    watermarkLagMs: Math.max(0, ...shipped.map(({ watermarkLagMs }) => watermarkLagMs)),
    orphans: orphans.length,
  };
}
