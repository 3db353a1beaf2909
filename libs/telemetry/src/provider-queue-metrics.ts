import { Gauge, type Registry } from 'prom-client';
import { createHistogram } from './create-histogram';
import { createLabelBound } from './label-bound';

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Of the catalogue, and a few of an installation's own. */
const PROVIDERS_MAX = 200;

/** Metrics of requests that wait for providers which limit them: how long, how it ended, and how many wait now. */
export function createProviderQueueMetrics(registry: Registry, readWaiting: () => ReadonlyMap<string, number>) {
  const bound = createLabelBound(PROVIDERS_MAX);
  const seconds = createHistogram({
    name: 'weir_provider_queue_seconds',
    help: 'How long requests waited for a provider that limits their rate, by provider and how the wait ended',
    labelNames: ['provider', 'end'],
    buckets: SECONDS,
    registry,
  });
  new Gauge({
    name: 'weir_provider_queue_waiting',
    help: 'Requests that wait for a provider that limits their rate, by provider',
    labelNames: ['provider'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [provider, count] of readWaiting()) this.inc({ provider: bound(provider) }, count);
    },
  });
  return {
    waited: ({ providerId }: { readonly providerId: string }, milliseconds: number, end: string): void => {
      seconds({ provider: bound(providerId), end }).observe(milliseconds / 1000);
    },
  };
}
