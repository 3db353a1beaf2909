// This room is the durable local log of usage: append, recover, ship, trim.
export * from './create-crash-closer';
export { createUsageJournal, openOrphanJournals } from './create-usage-journal';
export { createHoldKeeper, type HoldKeeper, type HoldKeeperOptions } from './holds/hold-keeper';
export { readHeldEnds } from './holds/read-held-ends';
export type { JournalLog } from './journal-log';
export * from './metering/keep-free-places';
export * from './metering/observe-attempts';
export * from './metering/open-attempt';
export * from './metering/open-metering';
export * from './metering/record-refusal';
export * from './metering/watch-verdict';
export * from './metering/worker-metering';
export { priceAttempt, type MeasuredUnits } from './price-attempt';
export * from './rerate-event';
export * from './shipping/create-journal-shipper';
export * from './shipping/ship-orphan-journals';
export * from './till';
export * from './usage-journal';
