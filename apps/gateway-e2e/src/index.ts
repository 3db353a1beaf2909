// This app drives the whole gateway, in both shapes, with official clients and a fake upstream.
export { createThingMaker } from './api/make-things';
export { readUsage } from './harness/read-usage';
export { addUsd, usdText } from './harness/price-by-hand';
export { runProcess, ROOT, type RunningProcess } from './harness/run-process';
export { startDistributed, type ServiceName, type DistributedHarness } from './harness/start-distributed';
export { startStandalone, type Harness } from './harness/start-standalone';
