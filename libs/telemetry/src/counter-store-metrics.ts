import type { Registry } from 'prom-client';
import { createHistogram } from './create-histogram';

/** Calls give up after some fifteen milliseconds. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.5];

/** How a call to the shared counters ended: `skipped` were not made, because those before them failed. */
export type CounterCallEnd = 'answered' | 'failed' | 'skipped';

/** Metrics of calls to the counters that all edges share. */
export function createCounterStoreMetrics(registry: Registry): (end: CounterCallEnd, milliseconds: number) => void {
  const find = createHistogram({
    name: 'weir_limits_call_seconds',
    help: 'How long the shared counters of limits took to reply, by how the call ended; skipped calls were not made, because those before them failed',
    labelNames: ['end'],
    buckets: SECONDS,
    registry,
  });
  const calls = { answered: find({ end: 'answered' }), failed: find({ end: 'failed' }), skipped: find({ end: 'skipped' }) };
  return (end, milliseconds) => calls[end].observe(milliseconds / 1000);
}
