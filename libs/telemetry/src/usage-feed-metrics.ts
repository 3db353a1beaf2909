import { Counter, Gauge, type Registry } from 'prom-client';

export type UsageFeedMetrics = {
  fed(count: number): void;
  complete(): void;
  failed(): void;
  differing(days: number): void;
  rewritten(days: number): void;
};

/** Metrics of the process that feeds the columnar store: how far it is, and whether both stores say the same. */
export function createUsageFeedMetrics(registry: Registry, now: () => number): UsageFeedMetrics {
  let completeAtMs = now();
  let isLate = false;
  const events = new Counter({
    name: 'weir_usage_feed_events_total',
    help: 'Usage events that were written to the columnar store; some more than once, after a failure',
    registers: [registry],
  });
  const failures = new Counter({
    name: 'weir_usage_feed_failures_total',
    help: 'Times that the columnar store did not take usage; it gets it again',
    registers: [registry],
  });
  new Gauge({
    name: 'weir_usage_feed_lag_seconds',
    help: 'Since when the columnar store does not have all usage that was counted; 0 where it has all',
    registers: [registry],
    collect() {
      this.set(isLate ? (now() - completeAtMs) / 1000 : 0);
    },
  });
  const differing = new Gauge({
    name: 'weir_usage_feed_differing_days',
    help: 'Days of organizations on which the columnar store and Postgres differ, after they were written once more; must be 0',
    registers: [registry],
  });
  const rewritten = new Counter({
    name: 'weir_usage_feed_rewritten_days_total',
    help: 'Days of organizations that were written to the columnar store once more because it differed',
    registers: [registry],
  });
  return {
    fed: (count) => {
      events.inc(count);
      isLate = true;
    },
    complete: () => {
      completeAtMs = now();
      isLate = false;
    },
    failed: () => {
      failures.inc();
      isLate = true;
    },
    differing: (days) => differing.set(days),
    rewritten: (days) => rewritten.inc(days),
  };
}

/** Counts who replied to questions about usage, where there is a columnar store, and why it was Postgres. */
export function createUsageReadCounter(registry: Registry): (outcome: string) => void {
  const reads = new Counter({
    name: 'weir_usage_reads_total',
    help: 'Questions about usage, by the store that replied or the reason why Postgres did',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return (outcome) => reads.inc({ outcome });
}
