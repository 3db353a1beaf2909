// This room knows what is counted and how it is sliced: dimensions, periods, folding of events.
export * from './decode-usage-event';
export * from './dimensions';
export * from './finance/compare-invoice';
export * from './finance/focus-columns';
export * from './finance/parse-export-query';
export * from './finance/usage-csv-columns';
export * from './finance/usage-line';
export * from './fold-batch';
export * from './measures';
export * from './parse-usage-query';
export * from './period-key';
export * from './plan-usage-segments';
export * from './ports/generation-reader';
export * from './ports/usage-store';
export * from './ports/usage-upkeep';
export * from './ports/watermark-store';
export * from './usage-query';
