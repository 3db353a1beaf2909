import { GatewayError } from '@weir/errors';
import type { ServerMetrics } from '@weir/telemetry';
import { REQUEST_PRIORITIES, type RequestPriority } from '../requests/request-priority';
import { createConcurrencyLimit } from './learn-concurrency';
import { openProcessReader, type ProcessReader } from './read-process';
import { createBacklog, HEAP_USED_MAX } from './regulate-backlog';

export type LoadShedder = {
  /** Whether some requests of a priority are refused at the moment; asked where it costs something to find out the priority. */
  isRefusing(priority: RequestPriority): boolean;
  /** The error `overloaded` when a request of this priority is refused. `caller`: the id of whose it is, where that is known. */
  findRefusal(priority: RequestPriority, caller?: string): GatewayError | undefined;
  /** Throws that error. */
  check(priority: RequestPriority, caller?: string): void;
  /** Whether requests that somebody waits for, and not only free models, are refused. Costs nothing to ask. */
  isCrowded(): boolean;
  /** What enters with a caller leaves with it. */
  entered(caller?: string): void;
  left(caller?: string): void;
  close(): void;
};

type LoadShedderOptions = {
  readonly inFlightMax: number;
  readonly metrics: ServerMetrics;
  /** From 0 to 1. */
  readonly random?: () => number;
  /** How the process is; asked four times a second while there are requests. */
  readonly reader?: ProcessReader;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
};

const READ_EVERY_MS = 250;
/** A reading that is overdue for so long is taken by the request that finds it so: the tick that keeps it waiting may be a long one. */
const OVERDUE_MS = 2 * READ_EVERY_MS;
/** So many readings without a request, and the process is no longer looked at: one that has nothing to do sleeps. */
const QUIET_READINGS = 4;
/** For so long a process must have too much to do before any request is refused. */
const FULL_MS_MIN = 1000;
const PRESSURE_MAX = REQUEST_PRIORITIES.length;
/** However much there is to do, some `paid` requests are admitted: otherwise it would stop and go. */
const BACKLOG_PRESSURE_MAX = PRESSURE_MAX - 0.1;
/** With fewer under way, no one is refused: to refuse them would not be felt. */
export const FEW_IN_FLIGHT = 32;
/** A caller with fewer under way has little: its requests count for one priority more than they are, those of the highest are not refused. */
export const FEW_OF_CALLER = 16;
/** Of all places, from where on the least important requests are refused. */
const CROWDED = 0.8;
const RETRY_AFTER_SECONDS_MAX = 4;
/** From here on reading is refused, and not only free models. */
const CROWDED_PRESSURE = 1;

/**
 * Refuses requests by their priority while the process has more than it can do. Pressure rises while its ticks take too much
 * CPU time, while it runs out of memory or has more under way than it gets done, and falls when it does not; requests of a
 * priority are refused in the share by which pressure exceeds its rank. How late it is does not matter: a process that gets
 * no CPU time is not helped by refusing.
 */
export function createLoadShedder(options: LoadShedderOptions): LoadShedder {
  const { inFlightMax, metrics, random = Math.random, reader = openProcessReader(), now = () => performance.now() } = options;
  const backlog = createBacklog({ fullMsMin: FULL_MS_MIN, max: BACKLOG_PRESSURE_MAX });
  const learned = createConcurrencyLimit({ heapUsedMax: HEAP_USED_MAX, inFlightMax, priorities: PRESSURE_MAX });
  const [refusals, callers] = [prepareRefusals(), countByCaller()];
  let [inFlight, ended, begun] = [0, 0, 0];
  /** Since the concurrency limit was last shown a reading: those that requests take are not shown to it. */
  let unshownMs = 0;
  let isCrowded = false;
  let timer: NodeJS.Timeout | undefined;
  let [overdueAtMs, quiet] = [Infinity, 0];
  const readPressure = (): number => {
    // What was admitted before is not taken back: there are as many places as there are.
    if (inFlight >= inFlightMax) return PRESSURE_MAX + 1;
    const crowding = Math.max(0, ((inFlight / inFlightMax - CROWDED) / (1 - CROWDED)) * PRESSURE_MAX);
    if (inFlight < FEW_IN_FLIGHT) return crowding;
    // A long tick lets in no more than there is capacity for, where it is known how many there are.
    const tickMs = !backlog.isThere() || learned.isHolding() ? 0 : reader.readTickMs();
    return Math.max(crowding, backlog.value(tickMs), learned.pressure(inFlight));
  };
  const look = () => {
    const reading = reader.read();
    backlog.look(reading, learned.isHolding());
    overdueAtMs = now() + OVERDUE_MS;
    unshownMs += reading.elapsedMs;
    return reading;
  };
  const lookInTime = (): void => {
    learned.look({ ...look(), elapsedMs: unshownMs }, { inFlight, ended }, backlog.isThere());
    quiet = inFlight === 0 && begun === 0 ? quiet + 1 : 0;
    [unshownMs, ended, begun] = [0, 0, 0];
    const pressure = Math.min(PRESSURE_MAX, readPressure());
    isCrowded = pressure > CROWDED_PRESSURE;
    metrics.pressure(pressure);
    if (quiet < QUIET_READINGS || backlog.isThere() || learned.isKnown()) return;
    clearInterval(timer);
    [timer, overdueAtMs] = [undefined, Infinity];
  };
  const begin = (): void => {
    reader.begin();
    [overdueAtMs, quiet] = [now() + OVERDUE_MS, 0];
    timer = setInterval(lookInTime, READ_EVERY_MS).unref();
  };
  const findRefusal = (priority: RequestPriority, caller?: string): GatewayError | undefined => {
    if (now() > overdueAtMs) look();
    const rank = REQUEST_PRIORITIES.indexOf(priority);
    const excess = readPressure() - (callers.hasLittle(caller) ? rank + 1 : rank);
    if (excess <= 0 || random() >= excess) return undefined;
    metrics.shed(priority);
    return refusals[Math.floor(random() * RETRY_AFTER_SECONDS_MAX)];
  };
  return {
    isRefusing: (priority) => readPressure() > REQUEST_PRIORITIES.indexOf(priority),
    findRefusal,
    check: (priority, caller) => {
      const refusal = findRefusal(priority, caller);
      if (refusal !== undefined) throw refusal;
    },
    isCrowded: () => isCrowded,
    entered: (caller) => {
      if (timer === undefined) begin();
      inFlight += 1;
      begun += 1;
      callers.entered(caller);
    },
    left: (caller) => {
      inFlight -= 1;
      ended += 1;
      callers.left(caller);
    },
    close: () => clearInterval(timer),
  };
}

/** How much each caller has under way, of requests whose caller was looked up: others may be anybody's. */
function countByCaller() {
  const counts = new Map<string, number>();
  return {
    hasLittle: (caller: string | undefined) => caller !== undefined && (counts.get(caller) ?? 0) < FEW_OF_CALLER,
    entered: (caller: string | undefined) => {
      if (caller !== undefined) counts.set(caller, (counts.get(caller) ?? 0) + 1);
    },
    left: (caller: string | undefined) => {
      if (caller === undefined) return;
      const left = (counts.get(caller) ?? 1) - 1;
      if (left === 0) counts.delete(caller);
      else counts.set(caller, left);
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
