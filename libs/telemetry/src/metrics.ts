import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type MetricsRegistry = Registry;

export function createMetricsRegistry(): MetricsRegistry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Metrics of requests, by labels that stay few: endpoint, provider and outcome, never ids or free text. */
export function createRequestMetrics(registry: MetricsRegistry) {
  const requests = new Counter({
    name: 'weir_requests_total',
    help: 'Requests answered, by endpoint and status',
    labelNames: ['endpoint', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'weir_request_seconds',
    help: 'Time from the request line to the last byte of the reply',
    labelNames: ['endpoint'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300],
    registers: [registry],
  });
  const inFlight = new Gauge({ name: 'weir_requests_in_flight', help: 'Requests being served now', registers: [registry] });
  // Looking a metric up by its labels costs more than counting; endpoints and statuses are few.
  const counted = new Map<string, { readonly count: () => void; readonly observe: (value: number) => void }>();
  const find = (endpoint: string, status: number) => {
    const key = `${endpoint} ${status}`;
    let found = counted.get(key);
    if (found === undefined) {
      const counter = requests.labels({ endpoint, status });
      const histogram = seconds.labels({ endpoint });
      found = { count: () => counter.inc(), observe: (value) => histogram.observe(value) };
      counted.set(key, found);
    }
    return found;
  };
  let running = 0;
  return {
    started: () => inFlight.set((running += 1)),
    finished: (endpoint: string, status: number, durationMs: number) => {
      inFlight.set((running -= 1));
      const metrics = find(endpoint, status);
      metrics.count();
      metrics.observe(durationMs / 1000);
    },
  };
}
export type RequestMetrics = ReturnType<typeof createRequestMetrics>;

/** Metrics of upstream attempts. */
export function createAttemptMetrics(registry: MetricsRegistry) {
  const attempts = new Counter({
    name: 'weir_attempts_total',
    help: 'Upstream attempts that were settled, by provider and outcome',
    labelNames: ['provider', 'status'],
    registers: [registry],
  });
  return { settled: (provider: string, status: string) => attempts.inc({ provider, status }) };
}
export type AttemptMetrics = ReturnType<typeof createAttemptMetrics>;

/** Metrics of the money path: all of `unexplained` must be 0, a growing lag means rollups are late. */
export function createMeteringMetrics(registry: MetricsRegistry) {
  const events = new Counter({
    name: 'weir_usage_events_total',
    help: 'Usage events taken from the bus, by what became of them',
    labelNames: ['result'],
    registers: [registry],
  });
  const lag = new Gauge({
    name: 'weir_usage_lag_seconds',
    help: 'Age of the newest usage event when it was committed to the rollups',
    registers: [registry],
  });
  const gaps = new Counter({
    name: 'weir_journal_gaps_total',
    help: 'Sequence numbers that a damaged journal could not give back: each is usage that may be lost',
    registers: [registry],
  });
  return {
    applied: (count: number) => events.inc({ result: 'applied' }, count),
    duplicates: (count: number) => events.inc({ result: 'duplicate' }, count),
    deadLettered: (count: number) => events.inc({ result: 'dead_lettered' }, count),
    lagSeconds: (seconds: number) => lag.set(seconds),
    gap: (sequences: number) => gaps.inc(sequences),
  };
}
export type MeteringMetrics = ReturnType<typeof createMeteringMetrics>;
