import type { AggregatorMetrics } from '../consume-usage-events';
import type { UpkeepMetrics } from '../start-upkeep';

const silent = (): void => undefined;

/** Metrics no one looks at. */
export const SILENT_METRICS: AggregatorMetrics & UpkeepMetrics = {
  applied: silent,
  duplicates: silent,
  deadLettered: silent,
  lagSeconds: silent,
  writerRanges: silent,
  missingSequences: silent,
  deadLetters: silent,
  unexplainedPico: silent,
};
