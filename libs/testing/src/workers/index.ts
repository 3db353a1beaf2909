export { createMemoryMetering, type MemoryMetering } from './create-memory-metering';
export { serveWorker, type ServedWorker } from './serve-worker';
