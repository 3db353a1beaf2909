import { startStandalone, type Harness } from '@weir/gateway-e2e';
import { runFuzz } from './run-fuzz';

describe('malformed requests', () => {
  let harness: Harness;

  beforeAll(async () => {
    harness = await startStandalone();
  });

  it('are refused in the caller’s dialect, and leave nothing behind', async () => {
    const { findings, requests, statuses } = await runFuzz({
      ...{ url: harness.url, key: harness.apiKey, seed: 1, requestsMax: 2000 },
      millisecondsMax: 60_000,
    });

    expect(findings).toEqual([]);
    expect(requests).toBe(2000);
    // Most are refused, and some that look odd are fine.
    expect(statuses['400']).toBeGreaterThan(1000);
    expect(statuses['200']).toBeGreaterThan(60);
    expect(await harness.process.terminate()).toBe(0);
    expect(harness.process.output()).not.toMatch(/our own fault|management request failed|unhandled|UnhandledPromise/i);
  });
});
