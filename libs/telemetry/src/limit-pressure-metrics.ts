import { Gauge, type Registry } from 'prom-client';

type LimitPressure = { readonly scope: string; readonly measure: string; readonly fullest: number; readonly nearlyFull: number };

/** Metrics of how full limits are, by kind: scopes and measures are rows of a table, so they are few. */
export function createLimitPressureMetrics(registry: Registry): (pressures: readonly LimitPressure[]) => void {
  const fullest = new Gauge({
    name: 'weir_limit_fill_ratio',
    help: 'How full the fullest limit is, of those that organizations made, by whom it is about and what it counts; 1: used up',
    labelNames: ['scope', 'measure'],
    registers: [registry],
  });
  const nearlyFull = new Gauge({
    name: 'weir_limits_nearly_full',
    help: 'How many keys, members, end users and others are above four fifths of a limit',
    labelNames: ['scope', 'measure'],
    registers: [registry],
  });
  return (pressures) => {
    fullest.reset();
    nearlyFull.reset();
    for (const { scope, measure, ...pressure } of pressures) {
      fullest.set({ scope, measure }, pressure.fullest);
      nearlyFull.set({ scope, measure }, pressure.nearlyFull);
    }
  };
}
