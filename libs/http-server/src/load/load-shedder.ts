import { GatewayError } from '@weir/errors';
import type { ServerMetrics } from '@weir/telemetry';
import { REQUEST_PRIORITIES, type RequestPriority } from '../requests/request-priority';
import { createConcurrencyLimit } from './learn-concurrency';
import { openProcessReader, type ProcessReader } from './read-process';
import { createLateness, HEAP_USED_MAX, LONG_TICK } from './regulate-lateness';

export type LoadShedder = {
  /** Whether some requests of a priority are refused at the moment; asked where it costs something to find out the priority. */
  isRefusing(priority: RequestPriority): boolean;
  /** The error `overloaded` when a request of this priority is refused. */
  findRefusal(priority: RequestPriority): GatewayError | undefined;
  /** Throws that error. */
  check(priority: RequestPriority): void;
  /** Whether requests that somebody waits for, and not only free models, are refused. Costs nothing to ask. */
  isCrowded(): boolean;
  entered(): void;
  left(): void;
  close(): void;
};

type LoadShedderOptions = {
  readonly inFlightMax: number;
  readonly eventLoopDelayMaxMs: number;
  readonly metrics: ServerMetrics;
  /** From 0 to 1. */
  readonly random?: () => number;
  /** How the process is; asked four times a second. */
  readonly reader?: ProcessReader;
};

const READ_EVERY_MS = 250;
/** For so long a process must be late before any request is refused. */
const LATE_MS_MIN = 1000;
const PRESSURE_MAX = REQUEST_PRIORITIES.length;
/** However late the process is, some `paid` requests are admitted: otherwise it would stop and go. */
const LATENESS_PRESSURE_MAX = PRESSURE_MAX - 0.1;
/** Of all places, from where on the least important requests are refused. */
const CROWDED = 0.8;
const RETRY_AFTER_SECONDS_MAX = 4;
/** From here on reading is refused, and not only free models. */
const CROWDED_PRESSURE = 1;

/**
 * Refuses requests by their priority while the process has more than it can do. Pressure rises while it responds late, runs
 * out of memory or has more under way than it bears, and falls when it does not; requests of a priority are refused in the
 * share by which pressure exceeds its rank.
 */
export function createLoadShedder(options: LoadShedderOptions): LoadShedder {
  const { inFlightMax, eventLoopDelayMaxMs, metrics, random = Math.random } = options;
  const reader = options.reader ?? openProcessReader(READ_EVERY_MS);
  const lateness = createLateness({ eventLoopDelayMaxMs, lateMsMin: LATE_MS_MIN, max: LATENESS_PRESSURE_MAX });
  const longTickMs = LONG_TICK * eventLoopDelayMaxMs;
  const learned = createConcurrencyLimit({ longTickMs, heapUsedMax: HEAP_USED_MAX, inFlightMax, priorities: REQUEST_PRIORITIES.length });
  const refusals = prepareRefusals();
  let [inFlight, ended] = [0, 0];
  let isCrowded = false;
  const readPressure = (tickMs: number): number => {
    const crowding = ((inFlight / inFlightMax - CROWDED) / (1 - CROWDED)) * PRESSURE_MAX;
    // A long tick lets in no more than there is capacity for, where it is known how many there are.
    const late = lateness.value(learned.isHolding() ? 0 : tickMs);
    return Math.max(late, learned.pressure(inFlight), Math.min(PRESSURE_MAX, crowding));
  };
  const timer = setInterval(() => {
    const reading = reader.read();
    lateness.look(reading, learned.isHolding());
    learned.look(reading, { inFlight, ended }, lateness.value(0) > 0);
    ended = 0;
    const pressure = readPressure(0);
    isCrowded = pressure > CROWDED_PRESSURE;
    metrics.pressure(pressure);
  }, READ_EVERY_MS).unref();
  const findRefusal = (priority: RequestPriority): GatewayError | undefined => {
    const excess = readPressure(reader.readTickMs()) - REQUEST_PRIORITIES.indexOf(priority);
    if (excess <= 0 || random() >= excess) return undefined;
    metrics.shed(priority);
    return refusals[Math.floor(random() * RETRY_AFTER_SECONDS_MAX)];
  };
  return {
    isRefusing: (priority) => readPressure(reader.readTickMs()) > REQUEST_PRIORITIES.indexOf(priority),
    findRefusal,
    check: (priority) => {
      const refusal = findRefusal(priority);
      if (refusal !== undefined) throw refusal;
    },
    isCrowded: () => isCrowded,
    entered: () => void (inFlight += 1),
    left: () => {
      inFlight -= 1;
      ended += 1;
    },
    close: () => {
      clearInterval(timer);
      reader.close();
    },
  };
}

/**
 * Waits are spread out, so that those who were refused together do not come back together. Made once: most of what a
 * refusal costs would be the stack of its error, which no one reads.
 */
function prepareRefusals(): readonly GatewayError[] {
  const message = 'The gateway has more to do than it can at the moment. Try again shortly.';
  return Array.from(
    { length: RETRY_AFTER_SECONDS_MAX },
    (_, index) => new GatewayError('overloaded', message, { retryAfterSeconds: index + 1 }),
  );
}
