import { createMetricsRegistry } from './metrics';
import { createProviderQueueMetrics } from './provider-queue-metrics';

it('shows how long requests waited for a provider, how that ended, and how many wait', async () => {
  const registry = createMetricsRegistry();
  const { waited } = createProviderQueueMetrics(registry, () => new Map([['one', 3]]));
  waited({ providerId: 'one' }, 200, 'served');
  waited({ providerId: 'one' }, 9_000, 'expired');

  const text = await registry.metrics();
  expect(text).toContain('weir_provider_queue_waiting{provider="one"} 3');
  expect(text).toContain('weir_provider_queue_seconds_bucket{le="0.1",provider="one",end="served"} 0');
  expect(text).toContain('weir_provider_queue_seconds_bucket{le="0.25",provider="one",end="served"} 1');
  expect(text).toContain('weir_provider_queue_seconds_sum{provider="one",end="expired"} 9');
});
