import { Registry } from 'prom-client';
import { collectProcessMetrics } from './collect-process-metrics';

describe('metrics of the process', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const read = async (registry: Registry): Promise<Record<string, number | undefined>> => {
    const metrics = (await registry.getMetricsAsJSON()).filter(({ name }) => name.startsWith('nodejs_eventloop_lag_'));
    return Object.fromEntries(metrics.map(({ name, values }) => [name.slice('nodejs_eventloop_lag_'.length), values[0]?.value]));
  };

  it('show how late the event loop was since the last collection', async () => {
    const registry = new Registry();
    collectProcessMetrics(registry);
    expect(Object.keys(await read(registry))).toEqual(['p50_seconds', 'p90_seconds', 'p99_seconds', 'max_seconds']);
    const lateness = jest.spyOn(performance, 'now');
    let nowMs = performance.now();
    lateness.mockImplementation(() => nowMs);
    // The first is due after what the clock was when it began.
    nowMs += 500;
    jest.advanceTimersByTime(500);
    await read(registry);
    for (const lateMs of [0, 0, 0, 0, 0, 0, 0, 100, 200, 700]) {
      nowMs += 500 + lateMs;
      jest.advanceTimersByTime(500);
    }
    lateness.mockRestore();
    const seen = await read(registry);
    expect(seen).toEqual({
      p50_seconds: 0,
      p90_seconds: expect.closeTo(0.2) as number,
      p99_seconds: expect.closeTo(0.7) as number,
      max_seconds: expect.closeTo(0.7) as number,
    });
  });

  it('wake a process that has nothing to do twice a second', () => {
    collectProcessMetrics(new Registry());
    const woken = jest.getTimerCount();
    expect(woken).toBe(1);
    let steps = 0;
    while (steps < 10) {
      jest.advanceTimersToNextTimer();
      steps += 1;
    }
    expect(performance.now()).toBeGreaterThanOrEqual(4999);
  });
});
