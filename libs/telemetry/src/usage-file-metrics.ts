import { Counter, Gauge, type Registry } from 'prom-client';

export type UsageFileMetrics = {
  /** A file is in the bucket. */
  written(dataset: string, format: string, bytes: number): void;
  /** A manifest is in the bucket: of the first revision of a day, or of a later one. */
  published(isFirst: boolean): void;
  /** An export broke off; it is tried again. */
  failed(): void;
  /** So many days wait to be exported; the oldest of them has been over for so long. */
  waiting(days: number, oldestSeconds: number): void;
};

/** Metrics of usage that is exported as files. */
export function createUsageFileMetrics(registry: Registry): UsageFileMetrics {
  const labelNames = ['dataset', 'format'];
  const files = new Counter({
    name: 'weir_usage_files_written_total',
    help: 'Files of usage that were put into the bucket, those of exports that broke off later included',
    labelNames,
    registers: [registry],
  });
  const bytes = new Counter({
    name: 'weir_usage_files_bytes_total',
    help: 'Bytes of these files',
    labelNames,
    registers: [registry],
  });
  const published = new Counter({
    name: 'weir_usage_files_published_total',
    help: 'Days of organizations whose manifest was put into the bucket, for the first time or as a later revision',
    labelNames: ['revision'],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'weir_usage_files_failures_total',
    help: 'Exports of a day that broke off; they are tried again',
    registers: [registry],
  });
  const days = new Gauge({
    name: 'weir_usage_files_waiting',
    help: 'Days of organizations that are over and not in the bucket as they are by now',
    registers: [registry],
  });
  const lag = new Gauge({
    name: 'weir_usage_files_lag_seconds',
    help: 'How long the oldest of these days has been over; 0 where there is none',
    registers: [registry],
  });
  for (const revision of ['first', 'later']) published.inc({ revision }, 0);
  return {
    written: (dataset, format, size) => {
      files.inc({ dataset, format });
      bytes.inc({ dataset, format }, size);
    },
    published: (isFirst) => published.inc({ revision: isFirst ? 'first' : 'later' }),
    failed: () => failures.inc(),
    waiting: (count, oldestSeconds) => {
      days.set(count);
      lag.set(oldestSeconds);
    },
  };
}
