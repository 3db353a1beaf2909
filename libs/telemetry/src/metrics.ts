import { Counter, Gauge, Registry } from 'prom-client';
import { collectProcessMetrics } from './collect-process-metrics';
import type { Logger } from './create-logger';
import { createHistogram, type Observations } from './create-histogram';
import { VERSION } from './otlp/resource';
import { createTallies, type Tally } from './create-tallies';
import type { SeenIn } from './seen-in';

export type MetricsRegistry = Registry & {
  /** Metrics by the conventions of OpenTelemetry, for collectors alone; absent where nothing is sent to one. */
  readonly conventional?: Registry;
  /** Sends what is left; absent where nothing is sent. */
  readonly close?: () => Promise<void>;
};

export function createMetricsRegistry(): MetricsRegistry {
  const registry = new Registry();
  collectProcessMetrics(registry);
  const build = new Gauge({
    name: 'weir_build_info',
    help: 'Always 1; which build runs, by its version and that of Node',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  build.set({ version: VERSION, node: process.versions.node }, 1);
  return registry;
}

/** Metrics of requests, by labels that stay few: endpoint, provider and outcome, never ids or free text. */
export function createRequestMetrics(registry: MetricsRegistry) {
  let running = 0;
  const requests = createTallies({
    name: 'weir_requests_total',
    help: 'Finished requests, by endpoint and status',
    labelNames: ['endpoint', 'status'],
    registers: [registry],
  });
  const seconds = createHistogram({
    name: 'weir_request_seconds',
    help: 'Time from the request line to the last byte of the reply',
    labelNames: ['endpoint'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300],
    registry,
  });
  const errors = createTallies({
    name: 'weir_errors_total',
    help: 'Requests of inference endpoints that ended with an error, by endpoint and error code',
    labelNames: ['endpoint', 'code'],
    registers: [registry],
  });
  new Gauge({
    name: 'weir_requests_in_flight',
    help: 'Requests being served now',
    registers: [registry],
    collect() {
      this.set(running);
    },
  });
  const limited = createTallies({
    name: 'weir_limit_refusals_total',
    help: 'Requests refused because a limit was full, by whom it is about, what it counts and its window (running: what runs at a moment)',
    labelNames: ['scope', 'measure', 'window'],
    registers: [registry],
  });
  const [refusals, failures] = [new Map<string, Tally>(), new Map<string, Tally>()];
  // Looking a metric up by its labels costs more than counting; endpoints and statuses are few.
  const counted = new Map<string, Map<number, { readonly count: Tally; readonly seconds: Observations }>>();
  const find = (endpoint: string, status: number) => {
    let ofEndpoint = counted.get(endpoint);
    if (ofEndpoint === undefined) counted.set(endpoint, (ofEndpoint = new Map()));
    let found = ofEndpoint.get(status);
    if (found === undefined) {
      found = { count: requests({ endpoint, status: String(status) }), seconds: seconds({ endpoint }) };
      ofEndpoint.set(status, found);
    }
    return found;
  };
  return {
    started: () => void (running += 1),
    /** `seen` where its trace is kept. */
    finished: (endpoint: string, status: number, durationMs: number, seen?: SeenIn) => {
      running -= 1;
      const metrics = find(endpoint, status);
      metrics.count.add(1);
      metrics.seconds.observe(durationMs / 1000, seen);
    },
    failed: (endpoint: string, code: string) => {
      const key = `${endpoint} ${code}`;
      let tally = failures.get(key);
      if (tally === undefined) failures.set(key, (tally = errors({ endpoint, code })));
      tally.add(1);
    },
    /** Scopes, measures and windows are rows of a table: few. */
    limited: ({ scope, measure, window }: FullLimit) => {
      const labels = { scope, measure, window: window ?? 'running' };
      const key = `${scope} ${measure} ${labels.window}`;
      let tally = refusals.get(key);
      if (tally === undefined) refusals.set(key, (tally = limited(labels)));
      tally.add(1);
    },
  };
}
/** A limit that refused a request; without a window: of what runs at a moment. */
type FullLimit = { readonly scope: string; readonly measure: string; readonly window: string | null };

export type RequestMetrics = ReturnType<typeof createRequestMetrics>;

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
  const writerRanges = new Gauge({
    name: 'weir_usage_writer_ranges',
    help: 'Ranges of counted sequence numbers of a journal, at most: above 1, usage is missing',
    registers: [registry],
  });
  const missing = new Gauge({
    name: 'weir_usage_missing_sequences',
    help: 'Usage events that never came though later ones of their journal did',
    registers: [registry],
  });
  const deadLetters = new Gauge({
    name: 'weir_usage_dead_letters',
    help: 'Usage events that wait to be counted by an operator',
    labelNames: ['reason'],
    registers: [registry],
  });
  const unexplained = new Gauge({
    name: 'weir_usage_unexplained_pico_usd',
    help: 'What events, rollups, spend and ledger differed by in the checks of the last 24 hours; must be 0',
    registers: [registry],
  });
  return {
    writerRanges: (most: number) => writerRanges.set(most),
    missingSequences: (count: number) => missing.set(count),
    deadLetters: (waiting: ReadonlyMap<string, number>) => {
      deadLetters.reset();
      for (const [reason, count] of waiting) deadLetters.set({ reason }, count);
    },
    unexplainedPico: (pico: number) => unexplained.set(pico),
    applied: (count: number) => events.inc({ result: 'applied' }, count),
    duplicates: (count: number) => events.inc({ result: 'duplicate' }, count),
    deadLettered: (count: number) => events.inc({ result: 'dead_lettered' }, count),
    lagSeconds: (seconds: number) => lag.set(seconds),
  };
}

/** Metrics of limited requests, by what became of them: `lease`, `deny` and `allow` were decided without the counters. */
export function createHoldMetrics(registry: MetricsRegistry) {
  const outcomes = createTallies({
    name: 'weir_holds_total',
    help: 'Requests that a limit applies to, by what became of them',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const counted = new Map<string, Tally>();
  return {
    count: (outcome: string) => {
      let tally = counted.get(outcome);
      if (tally === undefined) counted.set(outcome, (tally = outcomes({ outcome })));
      tally.add(1);
    },
  };
}

const PASSPORT_REASONS = ['unsigned', 'late', 'changed', 'used', 'elsewhere', 'terms', 'unshared'];

/** Metrics of what edges send workers: `unshared` was taken, compared with what this process alone has seen. */
export function createPassportMetrics(registry: MetricsRegistry, log: Pick<Logger, 'warn'>) {
  const noted = new Counter({
    name: 'weir_passports_noted_total',
    help: 'Passports that were refused (unsigned, late, changed, used, elsewhere), asked for whole (terms), or checked without Redis (unshared)',
    labelNames: ['reason'],
    registers: [registry],
  });
  // From 0 on, so that the first one shows.
  for (const reason of PASSPORT_REASONS) noted.inc({ reason }, 0);
  return {
    note: (reason: string, requestId?: string) => {
      noted.inc({ reason });
      if (reason !== 'unshared' && reason !== 'terms') log.warn({ reason, requestId }, 'a passport was refused');
    },
  };
}

/** Metrics of requests that got an earlier response: no provider was asked, nothing was charged. */
export function createReplayMetrics(registry: MetricsRegistry) {
  const replayed = new Counter({
    name: 'weir_replayed_answers_total',
    help: 'Requests that got an earlier response, by where it was kept: under its Idempotency-Key, or in the response cache',
    labelNames: ['kind'],
    registers: [registry],
  });
  return { count: (kind: 'idempotency' | 'cache') => replayed.inc({ kind }) };
}

/** What became of contents of requests that were to be kept. All start at 0, so that the first one that is dropped shows. */
export function createContentMetrics(registry: MetricsRegistry) {
  const contents = new Counter({
    name: 'weir_request_contents_total',
    help: 'Requests whose contents were to be kept: kept, left_out because of guardrails, dropped because there were too many at once or they could not be written',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['kept', 'left_out', 'dropped']) contents.inc({ outcome }, 0);
  return { count: (outcome: 'kept' | 'left_out' | 'dropped', requests: number) => contents.inc({ outcome }, requests) };
}

/** Metrics of request rates. */
export function createRateMetrics(registry: MetricsRegistry) {
  const decidedHere = new Counter({
    name: 'weir_rate_decisions_local_total',
    help: 'Requests whose rate this process decided alone, because the shared counters could not be reached',
    registers: [registry],
  });
  return { decidedHere: () => decidedHere.inc() };
}
