import { createMetricsRegistry } from './metrics';
import { createRoutingMetrics } from './routing-metrics';

describe('metrics of where requests go', () => {
  it('show what is left alone, without ids of organizations’ accounts', async () => {
    const registry = createMetricsRegistry();
    createRoutingMetrics(registry, {
      ejected: () => [
        { provider: 'p', region: null, account: null },
        { provider: 'p', region: 'eu', account: null, accountId: 'eu-1' },
        { provider: 'p', region: null, account: '6f0c9b1e' },
        { provider: 'p', region: null, account: '77aa' },
      ],
      allowances: () => [],
    });
    const text = await registry.metrics();
    expect(text).toContain('weir_routes_ejected{provider="p",region="",account="default"} 1\n');
    expect(text).toContain('weir_routes_ejected{provider="p",region="eu",account="eu-1"} 1\n');
    expect(text).toContain('weir_routes_ejected{provider="p",region="",account="own key"} 2\n');
    expect(text).not.toContain('6f0c9b1e');
  });

  it('count failures by code and by what followed', async () => {
    const registry = createMetricsRegistry();
    const { failed } = createRoutingMetrics(registry, { ejected: () => [], allowances: () => [] });
    failed('p', 'provider_timeout', 'fallback');
    failed('p', 'provider_timeout', 'fallback');
    failed('p', 'provider_timeout', 'none');
    const text = await registry.metrics();
    expect(text).toContain('weir_attempt_failures_total{provider="p",code="provider_timeout",next="fallback"} 2\n');
    expect(text).toContain('weir_attempt_failures_total{provider="p",code="provider_timeout",next="none"} 1\n');
  });

  it('show of an account the model with least left', async () => {
    const registry = createMetricsRegistry();
    const allowances = [0.7, 0.2, 0.9].map((left) => ({ providerId: 'p', accountId: 'eu-1', left }));
    createRoutingMetrics(registry, { ejected: () => [], allowances: () => allowances });
    expect(await registry.metrics()).toContain('weir_account_allowance_ratio{provider="p",account="eu-1"} 0.2\n');
  });
});
