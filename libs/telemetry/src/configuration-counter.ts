import { Counter } from 'prom-client';
import type { MetricsRegistry } from './metrics';

const OUTCOMES = ['applied', 'unchanged', 'failed'] as const;

/** Counts what became of the mounted configuration each time that it was looked at. All start at 0, so that the first failure shows. */
export function createConfigurationCounter(registry: MetricsRegistry): (outcome: (typeof OUTCOMES)[number]) => void {
  const reconciliations = new Counter({
    name: 'weir_configuration_reconciliations_total',
    help: 'Times that the mounted configuration was compared with its organization, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of OUTCOMES) reconciliations.inc({ outcome }, 0);
  return (outcome) => reconciliations.inc({ outcome });
}
