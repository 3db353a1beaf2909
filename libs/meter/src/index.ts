// This library opens an attempt in the journal before it is sent, prices its usage and closes it.
export { createCrashCloser } from './create-crash-closer';
export { createMeter, type ClosingFacts, type ExpectedUse, type Meter, type OpenAttempt } from './meter';
export { createFreeSlotKeeper } from './metering/keep-free-slots';
export { describeUnmetered, openAttempt } from './metering/open-attempt';
export { openMetering, type Metering } from './metering/open-metering';
export { openObservedMetering, type ObservedMetering } from './metering/open-observed-metering';
export { recordRefusal } from './metering/record-refusal';
export { watchVerdict } from './metering/watch-verdict';
export type { WorkerMetering } from './metering/worker-metering';
export { priceAttempt, type MeasuredUnits } from './price-attempt';
