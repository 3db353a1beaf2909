// This room drives the whole house, in both shapes, with official clients and a fake upstream.
export * from './house/read-usage';
export * from './house/price-by-hand';
export * from './house/run-process';
export * from './house/start-distributed';
export * from './house/start-standalone';
