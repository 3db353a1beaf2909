export { createMemoryMetering, type MemoryMetering } from './create-memory-metering';
