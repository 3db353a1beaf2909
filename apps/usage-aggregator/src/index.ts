// This app folds usage events into hourly, daily and monthly rollups, exactly once.
export * from './compose';
export * from './consume-usage-events';
export { usageAggregatorEnv } from './env';
export * from './start-money-tasks';
export * from './start-upkeep';
export * from './trace-batches';
