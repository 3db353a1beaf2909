import type { UsageConsumer } from '@weir/event-bus';
import type { RunningTasks } from '@weir/http-server';
import type { UsageUpkeep } from '@weir/usage';
import { createConfirmHolds, type HoldParts } from './confirm-holds';
import { createUsageHandler, type AggregatorMetrics, type ConsumeParts } from './consume-usage-events';
import { startHoldReconciler, type HoldReconciler } from './reconcile-holds';
import { startUpkeep, type UpkeepMetrics } from './start-upkeep';

type UsageAggregatorParts = Omit<ConsumeParts, 'metrics'> & {
  readonly consumer: UsageConsumer;
  readonly metrics: AggregatorMetrics & UpkeepMetrics;
  /** What is done beside folding; nothing when absent. */
  readonly upkeep?: UsageUpkeep;
  /** The counters of limits; absent where there are none. */
  readonly holds?: HoldParts & { readonly checkEveryMs: number };
};

export type UsageAggregator = {
  start(): Promise<void>;
  /** Ends when the batch at work is committed. */
  stop(): Promise<void>;
  isReady(): boolean;
};

/** Joins bus, store and watermarks. Two aggregators may run side by side: the store counts every event once. */
export function composeUsageAggregator({ consumer, upkeep, holds, ...parts }: UsageAggregatorParts): UsageAggregator {
  let isConsuming = false;
  let running: RunningTasks | undefined;
  let reconciler: HoldReconciler | undefined;
  return {
    start: async () => {
      const confirming = holds === undefined ? {} : { confirmHolds: createConfirmHolds(holds, parts.log) };
      await consumer.start(createUsageHandler({ ...parts, ...confirming }));
      if (holds !== undefined) reconciler = startHoldReconciler(holds, parts.log, holds.checkEveryMs);
      if (upkeep !== undefined) running = startUpkeep({ ...parts, upkeep });
      isConsuming = true;
      parts.log.info({}, 'usage events are being folded');
    },
    stop: async () => {
      isConsuming = false;
      reconciler?.stop();
      await Promise.all([consumer.close(), running?.stop()]);
    },
    isReady: () => isConsuming,
  };
}
