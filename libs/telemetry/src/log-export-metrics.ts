import { Counter, Gauge, type Registry } from 'prom-client';

export type ExportProgress = {
  /** So many records were taken by the receiver. */
  taken(count: number): void;
  /** Sending them failed; they are sent again. */
  failed(): void;
  /** Nothing is left to send. */
  complete(): void;
};

/** Metrics of logs that leave the gateway: how many records, and since when there are some that no one took. */
export function createExportMetrics(registry: Registry, now: () => number): (stream: string) => ExportProgress {
  const completeAtMs = new Map<string, number>();
  const records = new Counter({
    name: 'weir_export_records_total',
    help: 'Records of audit and usage that their receiver took',
    labelNames: ['stream'],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'weir_export_failures_total',
    help: 'Times that records of audit or usage were not taken; they are sent again',
    labelNames: ['stream'],
    registers: [registry],
  });
  new Gauge({
    name: 'weir_export_lag_seconds',
    help: 'Since when there are records of audit or usage that their receiver has not taken; 0 where it has all',
    labelNames: ['stream'],
    registers: [registry],
    collect() {
      for (const [stream, atMs] of completeAtMs) this.set({ stream }, atMs === Infinity ? 0 : (now() - atMs) / 1000);
    },
  });
  return (stream) => {
    records.inc({ stream }, 0);
    failures.inc({ stream }, 0);
    completeAtMs.set(stream, Infinity);
    const beLate = (): void => void completeAtMs.set(stream, Math.min(completeAtMs.get(stream) ?? Infinity, now()));
    return {
      taken: (count) => {
        records.inc({ stream }, count);
        beLate();
      },
      failed: () => {
        failures.inc({ stream });
        beLate();
      },
      complete: () => void completeAtMs.set(stream, Infinity),
    };
  };
}
