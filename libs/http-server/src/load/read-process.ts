import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { LoadReading } from './regulate-lateness';

export type ProcessReader = {
  /** How this process is; each reading is of the time since the one before. */
  read(): LoadReading;
  /** How long the turn of the event loop that is running has taken until now, to ten milliseconds. */
  readTickMs(): number;
  close(): void;
};

const RESOLUTION_MS = 10;

/** Reads this process, which is meant to be asked every `everyMs`. */
export function openProcessReader(everyMs: number): ProcessReader {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let before = performance.eventLoopUtilization();
  let readAtMs = performance.now();
  let tickAtMs = readAtMs;
  const tick = setInterval(() => (tickAtMs = performance.now()), RESOLUTION_MS).unref();
  return {
    read: () => {
      const nowMs = performance.now();
      const elapsedMs = nowMs - readAtMs;
      readAtMs = nowMs;
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      // Turns that are longer than the time between two readings leave no sample: they show in how late this one is.
      const lateMs = elapsedMs - everyMs;
      const eventLoopDelayMs = Math.max(delay.percentile(99) / 1e6, lateMs);
      const meanMs = Number.isNaN(delay.mean) ? 0 : Math.max(0, delay.mean / 1e6 - RESOLUTION_MS);
      const tickMs = lateMs >= everyMs ? Math.max(meanMs, lateMs) : meanMs;
      delay.reset();
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
      return { elapsedMs, eventLoopDelayMs, tickMs, utilization, heapUsed: used / limit };
    },
    readTickMs: () => Math.max(0, performance.now() - tickAtMs - RESOLUTION_MS),
    close: () => {
      clearInterval(tick);
      delay.disable();
    },
  };
}
