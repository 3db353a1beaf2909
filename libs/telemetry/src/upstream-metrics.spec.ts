import { Registry } from 'prom-client';
import { createUpstreamMetrics } from './upstream-metrics';

describe('metrics of the connections to providers', () => {
  it('are what is read at the time, by origin, and together beyond a hundred', async () => {
    const registry = new Registry();
    let loads = [{ origin: 'https://a.example', connections: 3, waiting: 1, refused: 2 }];
    createUpstreamMetrics(registry, () => loads);
    await registry.metrics();
    const text = await registry.metrics();

    expect(text).toContain('weir_upstream_connections{origin="https://a.example"} 3\n');
    expect(text).toContain('weir_upstream_calls_waiting{origin="https://a.example"} 1\n');
    expect(text).toContain('weir_upstream_calls_refused_total{origin="https://a.example"} 2\n');

    loads = Array.from({ length: 102 }, (_, index) => ({ origin: `https://${index}.example`, connections: 1, waiting: 0, refused: 0 }));
    expect(await registry.metrics()).toContain('weir_upstream_connections{origin="other"} 3\n');
  });
});
