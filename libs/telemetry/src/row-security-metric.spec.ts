import { createMetricsRegistry } from './metrics';
import { createRowSecurityMetric } from './row-security-metric';

test('shows whether row-level security is in force at the moment of the scrape', async () => {
  const registry = createMetricsRegistry();
  const rowSecurity: { isInForce: boolean | undefined } = { isInForce: undefined };
  createRowSecurityMetric(registry, rowSecurity);
  const read = async (): Promise<string | undefined> => /^weir_row_security_in_force (\d)$/m.exec(await registry.metrics())?.[1];

  expect(await read()).toBe('0');
  rowSecurity.isInForce = true;
  expect(await read()).toBe('1');
});
