import { NO_FAIL_POINT, type FailPoint } from '@weir/contracts';
import type { UsageHandler } from '@weir/event-bus';
import type { UsageStore, WatermarkStore } from '@weir/usage';
import type { AggregatorLog } from './aggregator-log';
import type { ConfirmHolds } from './confirm-holds';

/** What the operator sees of the money path; counts since the start, the lag as of the last batch. */
export type AggregatorMetrics = {
  applied(count: number): void;
  duplicates(count: number): void;
  deadLettered(count: number): void;
  lagSeconds(seconds: number): void;
};

export type ConsumeParts = {
  readonly store: UsageStore;
  readonly watermarks: WatermarkStore;
  readonly metrics: AggregatorMetrics;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log: AggregatorLog;
  readonly failPoint?: FailPoint;
  /** Confirms holds in the counters of limits; absent where there are none. */
  readonly confirmHolds?: ConfirmHolds;
};

/**
 * Commits each batch, then informs the journals how far they may trim. A batch that cannot be committed is rejected and
 * comes again; a watermark that cannot be published costs disk at the journal, never events, so it only waits for the next batch.
 */
export function createUsageHandler(parts: ConsumeParts): UsageHandler {
  const { store, watermarks, metrics, now, log, failPoint = NO_FAIL_POINT } = parts;
  const confirmHolds = parts.confirmHolds ?? (() => Promise.resolve(true));
  /** Watermarks that could not be published yet. Each batch takes them over, except what another one is publishing. */
  let unreported = new Map<string, bigint>();
  return async ({ events, source }) => {
    failPoint('agg.after_fetch');
    const result = await store.applyBatch(events, source);
    failPoint('agg.tx.after_commit_before_ack');
    metrics.applied(result.applied);
    metrics.duplicates(result.duplicates);
    metrics.deadLettered(result.deadLettered);
    if (result.deadLettered > 0) log.warn({ count: result.deadLettered }, 'usage events could not be counted; see usage_dead_letter');
    const endedAt = readEndedAt(events.at(-1)?.payload ?? '');
    if (endedAt !== undefined) metrics.lagSeconds(Math.max(0, (now() - endedAt) / 1000));
    failPoint('agg.confirm.before_redis');
    const reported = unreported;
    unreported = new Map();
    keepHighest(reported, result.watermarks);
    // A journal removes what its watermark covers: not before the counters of limits know it.
    if (!(await confirmHolds(result.holds)) || !(await report(reported))) keepHighest(unreported, reported);
  };

  async function report(reported: ReadonlyMap<string, bigint>): Promise<boolean> {
    try {
      await watermarks.publish(reported);
      return true;
    } catch (error) {
      log.warn({ error, writers: reported.size }, 'watermarks could not be published; journals keep what they have for now');
      return false;
    }
  }
}

function keepHighest(kept: Map<string, bigint>, more: ReadonlyMap<string, bigint>): void {
  for (const [writerId, sequence] of more) if (sequence > (kept.get(writerId) ?? -1n)) kept.set(writerId, sequence);
}

/** From the text: parsing a whole event for a gauge is not worth it. */
function readEndedAt(payload: string): number | undefined {
  const found = /"ended_at":(\d{1,15})/.exec(payload)?.[1];
  return found === undefined ? undefined : Number(found);
}
