import { GatewayError } from '@weir/errors';
import type { ServerMetrics } from '@weir/telemetry';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/** Kinds of work, the first to be refused first: free models, lists and reports, those who never paid, those who do. */
export const WORK_CLASSES = ['free', 'reading', 'unpaid', 'paid'] as const;
export type WorkClass = (typeof WORK_CLASSES)[number];

export type LoadShedder = {
  /** Throws `overloaded` when such work has to wait for better times. */
  check(work: WorkClass): void;
  entered(): void;
  left(): void;
  close(): void;
};

export type LoadShedderOptions = {
  readonly inFlightMax: number;
  readonly eventLoopDelayMaxMs: number;
  readonly metrics: ServerMetrics;
  /** From 0 to 1. */
  readonly random?: () => number;
  /** How the process is, asked four times a second. */
  readonly read?: () => LoadReading;
};

export type LoadReading = {
  /** Of the time since the last reading. */
  readonly eventLoopDelayMs: number;
  /** 0 to 1. */
  readonly heapUsed: number;
};

const READ_EVERY_MS = 250;
/** So many readings make the second for which a process must be late before anybody is refused. */
const READINGS_UNTIL_LATE = 4;
const HEAP_USED_MAX = 0.85;
const RISE = 0.5;
const FALL = 0.25;
const PRESSURE_MAX = WORK_CLASSES.length;
/** However late the process is, some of the most important work goes on: otherwise it would stop and go. */
const LATENESS_PRESSURE_MAX = PRESSURE_MAX - 0.1;
/** Of all places, from where on the least important requests are refused. */
const CROWDED = 0.8;
const RETRY_AFTER_SECONDS_MAX = 4;

/**
 * Refuses work by its importance while the process has more than it can do. Pressure rises while it answers late or runs
 * out of memory and falls when it does not; each class of work is refused in the share by which pressure exceeds its rank.
 */
export function createLoadShedder(options: LoadShedderOptions): LoadShedder {
  const { inFlightMax, eventLoopDelayMaxMs, metrics, random = Math.random } = options;
  const reading = options.read === undefined ? readProcess() : { read: options.read, close: () => undefined };
  let inFlight = 0;
  let lateReadings = 0;
  let lateness = 0;
  const look = (): void => {
    const { eventLoopDelayMs, heapUsed } = reading.read();
    const isLate = eventLoopDelayMs > eventLoopDelayMaxMs || heapUsed > HEAP_USED_MAX;
    lateReadings = isLate ? lateReadings + 1 : 0;
    if (lateReadings >= READINGS_UNTIL_LATE) lateness = Math.min(LATENESS_PRESSURE_MAX, lateness + RISE);
    else if (!isLate) lateness = Math.max(0, lateness - FALL);
    metrics.pressure(pressure());
  };
  const timer = setInterval(look, READ_EVERY_MS).unref();
  const pressure = (): number => {
    const crowding = ((inFlight / inFlightMax - CROWDED) / (1 - CROWDED)) * PRESSURE_MAX;
    return Math.max(lateness, Math.min(PRESSURE_MAX, crowding));
  };
  return {
    check: (work) => {
      const excess = pressure() - WORK_CLASSES.indexOf(work);
      if (excess <= 0 || random() >= excess) return;
      metrics.shed(work);
      throw new GatewayError('overloaded', 'The gateway has more to do than it can at the moment. Try again shortly.', {
        // Spread out, so that those who were refused together do not come back together.
        retryAfterSeconds: 1 + Math.floor(random() * RETRY_AFTER_SECONDS_MAX),
      });
    },
    entered: () => void (inFlight += 1),
    left: () => void (inFlight -= 1),
    close: () => {
      clearInterval(timer);
      reading.close();
    },
  };
}

function readProcess(): { read: () => LoadReading; close: () => void } {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  return {
    read: () => {
      const eventLoopDelayMs = delay.percentile(99) / 1e6;
      delay.reset();
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
      return { eventLoopDelayMs, heapUsed: used / limit };
    },
    close: () => void delay.disable(),
  };
}
