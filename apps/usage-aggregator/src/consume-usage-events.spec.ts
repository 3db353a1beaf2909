import type { SequencedUsageEvent } from '@weir/contracts';
import { createMemoryWatermarkStore, type AppliedBatch, type UsageStore, type WatermarkStore } from '@weir/usage';
import { createUsageHandler, type AggregatorMetrics } from './consume-usage-events';

const event: SequencedUsageEvent = { writerId: 'w', epoch: 1, sequence: 0n, payload: '{"ended_at":100000}' };
const source = { topic: 'usage', partition: 1, nextOffset: 9n };

function applied(more: Partial<AppliedBatch> = {}): AppliedBatch {
  return { applied: 1, duplicates: 0, deadLettered: 0, holds: [], watermarks: new Map([['w', 0n]]), ...more };
}

function setUp(results: (AppliedBatch | Error)[], watermarks: WatermarkStore = createMemoryWatermarkStore()) {
  const recorded: Record<string, number> = {};
  const add = (name: string) => (value: number) => {
    recorded[name] = (recorded[name] ?? 0) + value;
  };
  const metrics: AggregatorMetrics = {
    applied: add('applied'),
    duplicates: add('duplicates'),
    deadLettered: add('deadLettered'),
    lagSeconds: add('lagSeconds'),
  };
  const applyBatch = jest.fn<ReturnType<UsageStore['applyBatch']>, Parameters<UsageStore['applyBatch']>>(() => {
    const result = results.shift() ?? applied();
    return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
  });
  const store: UsageStore = {
    applyBatch,
    readUsage: () => Promise.reject(new Error('not asked')),
    readPerformance: () => Promise.reject(new Error('not asked')),
  };
  const log = { info: jest.fn(), warn: jest.fn() };
  const parts = { store, watermarks, metrics, now: () => 103_500, log };
  return { handle: createUsageHandler(parts), parts, applyBatch, recorded, log, watermarks };
}

describe('consuming usage events', () => {
  test('a batch is committed with its source, counted, and its watermark published', async () => {
    const { handle, applyBatch, recorded, watermarks } = setUp([applied({ applied: 3, duplicates: 2, watermarks: new Map([['w', 4n]]) })]);
    await handle({ events: [event], source });
    expect(applyBatch).toHaveBeenCalledWith([event], source);
    expect(recorded).toEqual({ applied: 3, duplicates: 2, deadLettered: 0, lagSeconds: 3.5 });
    expect(await watermarks.read('w')).toBe(4n);
  });

  test('a batch that cannot be committed is rejected and nothing is published', async () => {
    const { handle, watermarks, recorded } = setUp([new Error('no database')]);
    await expect(handle({ events: [event], source })).rejects.toThrow('no database');
    expect(await watermarks.read('w')).toBeUndefined();
    expect(recorded).toEqual({});
  });

  test('a watermark store that is down holds up nothing; what it missed is published with the next batch', async () => {
    const known = createMemoryWatermarkStore();
    let isDown = true;
    const flaky: WatermarkStore = { ...known, publish: (marks) => (isDown ? Promise.reject(new Error('down')) : known.publish(marks)) };
    const { handle, log } = setUp([applied({ watermarks: new Map([['a', 7n]]) }), applied({ watermarks: new Map([['b', 1n]]) })], flaky);
    await handle({ events: [event], source: null });
    expect(log.warn).toHaveBeenCalledTimes(1);
    isDown = false;
    await handle({ events: [event], source: null });
    expect([await known.read('a'), await known.read('b')]).toEqual([7n, 1n]);
  });

  test('a batch publishes no watermark of another one whose holds are still being confirmed', async () => {
    const { parts, watermarks } = setUp([
      applied({ watermarks: new Map([['slow', 7n]]) }),
      applied({ watermarks: new Map([['fast', 1n]]) }),
    ]);
    let finish = (_isReported: boolean): void => undefined;
    const slow = new Promise<boolean>((resolve) => (finish = resolve));
    const confirmHolds = jest.fn(() => Promise.resolve(true)).mockReturnValueOnce(slow);
    const handle = createUsageHandler({ ...parts, confirmHolds });

    const first = handle({ events: [event], source: null });
    await handle({ events: [event], source: null });
    expect([await watermarks.read('slow'), await watermarks.read('fast')]).toEqual([undefined, 1n]);
    finish(false);
    await first;
    expect(await watermarks.read('slow')).toBeUndefined();
    await handle({ events: [event], source: null });
    expect(await watermarks.read('slow')).toBe(7n);
  });

  test('dead letters are counted and called out', async () => {
    const { handle, recorded, log } = setUp([applied({ applied: 0, deadLettered: 2 })]);
    await handle({ events: [{ ...event, payload: 'broken' }], source: null });
    expect(recorded).toEqual({ applied: 0, duplicates: 0, deadLettered: 2 });
    expect(log.warn).toHaveBeenCalledWith({ count: 2 }, expect.stringContaining('usage_dead_letter'));
  });
});
