import { Gauge } from 'prom-client';
import type { MetricsRegistry } from './metrics';

/** Whether Postgres itself keeps organizations apart; 0 until that is known. */
export function createRowSecurityMetric(registry: MetricsRegistry, rowSecurity: { readonly isInForce: boolean | undefined }): void {
  new Gauge({
    name: 'weir_row_security_in_force',
    help: 'Whether Postgres keeps organizations apart by row-level security: 1, or 0 where queries alone do',
    registers: [registry],
    collect() {
      this.set(rowSecurity.isInForce === true ? 1 : 0);
    },
  });
}
