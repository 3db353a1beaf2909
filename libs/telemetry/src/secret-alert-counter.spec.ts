import { createMetricsRegistry } from './metrics';
import { createSecretAlertCounter } from './secret-alert-counter';

test('every outcome is there before it happens, and is counted when it does', async () => {
  const registry = createMetricsRegistry();
  const count = createSecretAlertCounter(registry);
  count('revoked');
  count('revoked');
  const { values = [] } = (await registry.getSingleMetric('weir_secret_alerts_total')?.get()) ?? {};
  expect(Object.fromEntries(values.map(({ labels, value }) => [labels['outcome'], value]))).toEqual({
    ...{ revoked: 2, known: 0, unknown: 0, refused: 0 },
  });
});
