import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

/** A process that has nothing to do is woken twice a second for this; one that is late for long shows all the same. */
const LOOK_EVERY_MS = 500;
/** Between two collections; later ones take the place of the first. */
const SAMPLES_MAX = 240;
/** The longest that a timer can be: the clock of the library would wake the process a hundred times a second. */
const NEVER_MS = 2 ** 31 - 1;

/** Of the times by which the event loop was late since the last collection: how many were below what is shown. */
const SHARES = { p50: 0.5, p90: 0.9, p99: 0.99, max: 1 };

/** Registers what is known of the process itself, and how late its event loop is. */
export function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  for (const { name } of registry.getMetricsAsArray()) if (name.startsWith('nodejs_eventloop_lag_')) registry.removeSingleMetric(name);
  let seconds: number[] = [];
  let taken = 0;
  let dueAtMs = performance.now() + LOOK_EVERY_MS;
  const look = (): void => {
    const nowMs = performance.now();
    seconds[taken % SAMPLES_MAX] = Math.max(0, nowMs - dueAtMs) / 1000;
    taken += 1;
    dueAtMs = nowMs + LOOK_EVERY_MS;
  };
  setInterval(look, LOOK_EVERY_MS).unref();
  let sorted = [0];
  /** Those that are shown together are of the same time. */
  const take = (): void => {
    if (seconds.length > 0) sorted = seconds.sort((first, second) => first - second);
    [seconds, taken] = [[], 0];
  };
  Object.entries(SHARES).forEach(([name, share], index) => {
    new Gauge({
      name: `nodejs_eventloop_lag_${name}_seconds`,
      help: `How late the event loop was since the last collection, looked at twice a second: ${name}`,
      registers: [registry],
      collect() {
        if (index === 0) take();
        this.set(sorted[Math.ceil(share * sorted.length) - 1] as number);
      },
    });
  });
}
