// This app drives the whole gateway, in both shapes, with official clients and a fake upstream.
export * from './harness/read-usage';
export * from './harness/price-by-hand';
export * from './harness/run-process';
export * from './harness/start-distributed';
export * from './harness/start-standalone';
