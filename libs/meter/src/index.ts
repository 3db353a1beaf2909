// This library opens an attempt in the journal before it is sent, prices its usage and closes it.
export { createCrashCloser } from './create-crash-closer';
export { createMeter, type ClosingFacts, type ExpectedUse, type Meter, type OpenAttempt } from './meter';
export { createFreeSlotKeeper } from './metering/free-slot-keeper';
export { openBookkeeping, type Bookkeeping } from './metering/open-bookkeeping';
export { openMetering, type Metering } from './metering/open-metering';
export { openObservedMetering, type ObservedMetering } from './metering/open-observed-metering';
export { describeUnmetered, RequestMeter } from './metering/request-meter';
export type { WorkerMetering } from './metering/worker-metering';
export { priceAgain } from './price-again';
export { priceAttempt, type MeasuredUnits } from './price-attempt';
