import { Gauge } from 'prom-client';
import type { MetricsRegistry } from './metrics';

const KINDS = ['file', 'account'] as const;

/** How much of the accounts at providers cannot be read at the moment. Both kinds start at 0, so that the first one shows. */
export function createAccountMetrics(registry: MetricsRegistry): (kind: (typeof KINDS)[number], count: number) => void {
  const faults = new Gauge({
    name: 'weir_account_faults',
    help: 'Files of accounts, and accounts, that cannot be read; what was there before stays in force',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const kind of KINDS) faults.set({ kind }, 0);
  return (kind, count) => faults.set({ kind }, count);
}
