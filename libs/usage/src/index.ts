// This room knows what is counted and how it is sliced: dimensions, periods, folding of events.
export * from './ports/usage-store';
export * from './ports/watermark-store';
export * from './usage-query';
