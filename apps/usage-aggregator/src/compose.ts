import type { UsageConsumer } from '@weir/event-bus';
import { createUsageHandler, type ConsumeParts } from './consume-usage-events';

export type UsageAggregatorParts = ConsumeParts & { readonly consumer: UsageConsumer };

export type UsageAggregator = {
  start(): Promise<void>;
  /** Ends when the batch at work is committed. */
  stop(): Promise<void>;
  isReady(): boolean;
};

/** Joins bus, store and watermarks. Two aggregators may run side by side: the store counts every event once. */
export function composeUsageAggregator({ consumer, ...parts }: UsageAggregatorParts): UsageAggregator {
  let isConsuming = false;
  return {
    start: async () => {
      await consumer.start(createUsageHandler(parts));
      isConsuming = true;
      parts.log.info({}, 'usage events are being folded');
    },
    stop: async () => {
      isConsuming = false;
      await consumer.close();
    },
    isReady: () => isConsuming,
  };
}
