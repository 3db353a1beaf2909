import type { UsageHandler } from '@weir/event-bus';
import { createMemoryWatermarkStore } from '@weir/usage';
import { SILENT_METRICS } from './__fixtures__/silent-metrics';
import { composeUsageAggregator } from './compose';

test('the aggregator is ready from joining the bus until it is stopped', async () => {
  let handler: UsageHandler | undefined;
  const close = jest.fn(() => Promise.resolve());
  const aggregator = composeUsageAggregator({
    consumer: {
      start: (given) => {
        handler = given;
        return Promise.resolve();
      },
      close,
    },
    store: {
      applyBatch: () => Promise.resolve({ applied: 0, duplicates: 0, deadLettered: 0, holds: [], watermarks: new Map() }),
      readUsage: () => Promise.reject(new Error('not asked')),
      readPerformance: () => Promise.reject(new Error('not asked')),
    },
    watermarks: createMemoryWatermarkStore(),
    metrics: SILENT_METRICS,
    now: Date.now,
    log: { info: () => undefined, warn: () => undefined },
  });
  expect(aggregator.isReady()).toBe(false);
  await aggregator.start();
  expect(aggregator.isReady()).toBe(true);
  expect(handler).toBeDefined();
  await aggregator.stop();
  expect(aggregator.isReady()).toBe(false);
  expect(close).toHaveBeenCalledTimes(1);
});
