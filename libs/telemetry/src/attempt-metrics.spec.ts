import { createAttemptMetrics, type AttemptOutcome } from './attempt-metrics';
import { createMetricsRegistry } from './metrics';

const OUTCOME: AttemptOutcome = {
  endpoint: 'chat-completions',
  provider: 'p',
  model: 'm',
  outcome: 'ok',
  durationMs: 1500,
  firstByteMs: 200,
  tokens: { inputUncached: 10, cacheRead: 5, cacheWrite5m: 2, cacheWrite1h: 1, output: 7 },
  costPico: 2_500_000n,
};

describe('metrics of attempts', () => {
  it('count by endpoint, provider, model and outcome, tokens by kind and cost', async () => {
    const registry = createMetricsRegistry();
    const metrics = createAttemptMetrics(registry);
    for (let count = 0; count < 2; count += 1) {
      metrics.opened();
      metrics.settled(OUTCOME);
    }
    metrics.opened();
    metrics.settled({ ...OUTCOME, costPico: 0n, isDoubted: true });
    metrics.opened();
    const text = await registry.metrics();
    for (const line of [
      'weir_attempts_total{endpoint="chat-completions",provider="p",model="m",outcome="ok"} 3',
      'weir_attempts_doubted_total{endpoint="chat-completions",provider="p",model="m"} 1',
      'weir_tokens_total{provider="p",model="m",kind="input"} 30',
      'weir_tokens_total{provider="p",model="m",kind="cache_read"} 15',
      'weir_tokens_total{provider="p",model="m",kind="cache_write"} 9',
      'weir_tokens_total{provider="p",model="m",kind="output"} 21',
      'weir_cost_usd_total{provider="p",model="m"} 0.000005',
      'weir_attempt_seconds_sum{endpoint="chat-completions",provider="p"} 4.5',
      'weir_attempts_open 1',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
  });

  it('keep models to a number that a collector bears', async () => {
    const registry = createMetricsRegistry();
    const metrics = createAttemptMetrics(registry);
    for (let model = 0; model < 700; model += 1) metrics.settled({ ...OUTCOME, model: `m${model}` });
    const { values = [] } = (await registry.getSingleMetric('weir_attempts_total')?.get()) ?? {};

    expect(values).toHaveLength(501);
    expect(values.find(({ labels }) => labels['model'] === 'other')?.value).toBe(200);
  });
});
