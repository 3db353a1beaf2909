import { Counter, Gauge, type Registry } from 'prom-client';
import { createLabelBound } from './label-bound';

/** How busy the connections to one origin are. */
type OriginLoad = { readonly origin: string; readonly connections: number; readonly waiting: number; readonly refused: number };

/** Organizations may name addresses of their own; what comes after so many is counted as `other`. */
const ORIGINS_MAX = 100;

/** Metrics of the connections to providers, read whenever metrics are collected. */
export function createUpstreamMetrics(registry: Registry, readLoads: () => readonly OriginLoad[]): void {
  const bound = createLabelBound(ORIGINS_MAX);
  const add = (Kind: typeof Gauge | typeof Counter, name: string, help: string, pick: (load: OriginLoad) => number): void => {
    new Kind({
      name,
      help,
      labelNames: ['origin'],
      registers: [registry],
      collect(this: Gauge | Counter) {
        this.reset();
        for (const load of readLoads()) this.inc({ origin: bound(load.origin) }, pick(load));
      },
    });
  };
  add(Gauge, 'weir_upstream_connections', 'Open connections to providers, by their address', ({ connections }) => connections);
  add(Gauge, 'weir_upstream_calls_waiting', 'Calls that wait because all connections are in use', ({ waiting }) => waiting);
  add(Counter, 'weir_upstream_calls_refused_total', 'Calls refused because all connections stayed in use', ({ refused }) => refused);
}
