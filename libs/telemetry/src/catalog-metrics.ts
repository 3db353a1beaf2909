import { Gauge } from 'prom-client';
import type { MetricsRegistry } from './metrics';

const STATES = ['newest', 'in_force'] as const;

/** Which version of the catalogue there is, and which one this process uses: they differ for long only where it cannot read the newest. */
export function createCatalogMetrics(registry: MetricsRegistry): (state: (typeof STATES)[number], id: number) => void {
  const versions = new Gauge({
    name: 'weir_catalog_version',
    help: 'Number of the version of the catalogue that is the newest known here, and of the one in force; 0: as it ships with the gateway',
    labelNames: ['state'],
    registers: [registry],
  });
  for (const state of STATES) versions.set({ state }, 0);
  return (state, id) => versions.set({ state }, id);
}
