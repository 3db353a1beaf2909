import { createMemoryWatermarkStore, type UsageUpkeep, type WatermarkStore, type WriterSequence } from '@weir/usage';
import { SILENT_METRICS } from './__fixtures__/silent-metrics';
import { startUpkeep } from './start-upkeep';

const NOW = Date.UTC(2026, 7, 7);

const writer = (writerId: string, more: Partial<WriterSequence> = {}): WriterSequence => ({
  ...{ writerId, watermark: 4n, missing: 0n, ranges: 1, firstGapAtMs: null, updatedAtMs: NOW - 600_000 },
  ...more,
});

function build(more: Partial<UsageUpkeep> = {}): UsageUpkeep {
  return {
    readWriters: () => Promise.resolve([]),
    countDeadLetters: () => Promise.resolve(new Map()),
    checkUsage: () => Promise.resolve({ checked: 0, unexplainedPico: 0n }),
    buildCubes: () => Promise.resolve({ built: 0, left: 0 }),
    keepPartitions: () => Promise.resolve({ created: [], dropped: [] }),
    forgetLimits: () => Promise.resolve(0),
    ...more,
  };
}

function start(upkeep: UsageUpkeep, watermarks: WatermarkStore = createMemoryWatermarkStore()) {
  const reported: Record<string, unknown> = {};
  const log = { info: jest.fn(), warn: jest.fn() };
  const report = (name: string) => (value: unknown) => void (reported[name] = value);
  const metrics = {
    ...SILENT_METRICS,
    ...{
      writerRanges: report('writerRanges'),
      missingSequences: report('missing'),
      deadLetters: report('deadLetters'),
      unexplainedPico: report('unexplained'),
    },
  };
  return { reported, log, watermarks, running: startUpkeep({ upkeep, watermarks, metrics, now: () => NOW, log }) };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('the watermarks of all known writers are published again to a store that lost everything', async () => {
  const writers = [
    ...[writer('a'), writer('b', { watermark: 9n }), writer('none yet', { watermark: null })],
    writer('at work, published with its batches', { updatedAtMs: NOW - 60_000 }),
  ];
  const stores = [createMemoryWatermarkStore(), createMemoryWatermarkStore()];
  let now: WatermarkStore | undefined = stores[0];
  const current: WatermarkStore = { publish: async (marks) => now?.publish(marks), read: async (id) => now?.read(id) };
  const { running } = start(build({ readWriters: () => Promise.resolve(writers) }), current);
  await jest.advanceTimersByTimeAsync(1);
  expect(await current.read('a')).toBe(4n);
  now = stores[1];
  expect(await current.read('b')).toBeUndefined();
  await jest.advanceTimersByTimeAsync(10_000);
  expect([await current.read('a'), await current.read('b'), await current.read('none yet')]).toEqual([4n, 9n, undefined]);
  expect(await current.read('at work, published with its batches')).toBeUndefined();
  await running.stop();
});

test('what is missing is reported, and logged as an error once it cannot be events out of order any more', async () => {
  const writers = [
    writer('moment', { missing: 1n, ranges: 2, firstGapAtMs: NOW - 60_000 }),
    writer('loss', { missing: 5n, ranges: 4, firstGapAtMs: NOW - 600_000 }),
  ];
  const deadLetters = new Map([['unreadable', 2]]);
  const { reported, log, running } = start(
    build({
      readWriters: () => Promise.resolve(writers),
      countDeadLetters: () => Promise.resolve(deadLetters),
      checkUsage: () => Promise.resolve({ checked: 1, unexplainedPico: 7n }),
    }),
  );
  await jest.advanceTimersByTimeAsync(1);
  expect(reported).toEqual({ writerRanges: 4, missing: 6, deadLetters, unexplained: 7 });
  expect(log.warn.mock.calls).toEqual([[expect.objectContaining({ writerId: 'loss', missing: '5' }), expect.any(String)]]);
  await running.stop();
});

test('a task that fails is done again at its next time and holds up no other; stopping waits for what is at work', async () => {
  let calls = 0;
  let finish: () => void = () => undefined;
  const keepPartitions = () => {
    calls += 1;
    return calls === 1
      ? Promise.reject(new Error('no database'))
      : new Promise<never>((_, reject) => (finish = () => reject(new Error('late'))));
  };
  const { log, reported, running } = start(build({ keepPartitions }));
  await jest.advanceTimersByTimeAsync(3_600_000);
  expect(calls).toBe(2);
  expect(reported['unexplained']).toBe(0);
  expect(log.warn).toHaveBeenCalledTimes(1);
  let isStopped = false;
  const stopping = running.stop().then(() => (isStopped = true));
  await jest.advanceTimersByTimeAsync(1);
  expect(isStopped).toBe(false);
  finish();
  await stopping;
  await jest.advanceTimersByTimeAsync(7_200_000);
  expect(calls).toBe(2);
});
