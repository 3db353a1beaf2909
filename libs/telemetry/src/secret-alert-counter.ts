import { Counter } from 'prom-client';
import type { MetricsRegistry } from './metrics';

const OUTCOMES = ['revoked', 'known', 'unknown', 'refused'] as const;

/** Counts what became of tokens that were found in public, and of reports that no one signed. All start at 0, so that the first one shows. */
export function createSecretAlertCounter(registry: MetricsRegistry): (outcome: (typeof OUTCOMES)[number]) => void {
  const alerts = new Counter({
    name: 'weir_secret_alerts_total',
    help: 'Tokens that a scanner found in public, by what they were, and reports without a right signature',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of OUTCOMES) alerts.inc({ outcome }, 0);
  return (outcome) => alerts.inc({ outcome });
}
