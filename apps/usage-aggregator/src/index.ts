// This app folds usage events into hourly, daily and monthly rollups, exactly once.
export { openMailer } from './alerts/create-mailer';
export { composeUsageAggregator, type UsageAggregator } from './compose';
export { usageAggregatorEnv } from './env';
export { startLogExports } from './exports/export-logs';
export { startUsageFeed } from './feed/start-usage-feed';
export { startUsageFiles } from './files/start-usage-files';
export { startMoneyTasks } from './start-money-tasks';
export { traceBatches } from './trace-batches';
