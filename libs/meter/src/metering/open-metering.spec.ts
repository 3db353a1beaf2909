import { NO_USAGE } from '@weir/canonical';
import type { SequencedUsageEvent } from '@weir/contracts';
import { createMemoryHoldStore, nameLimitScope } from '@weir/limits';
import type { Logger } from '@weir/telemetry';
import { makeUsageEvent } from '@weir/testing';
import { createMemoryWatermarkStore, type WatermarkStore } from '@weir/usage';
import { createUsageJournal } from '@weir/usage-journal';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePassport, runAttempt, SILENT } from './__fixtures__/run-attempt';
import { openMetering, type Metering, type MeteringOptions } from './open-metering';

let directory: string;
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'weir-metering-'))));
afterEach(() => rm(directory, { recursive: true, force: true }));

function open(more: Partial<MeteringOptions> = {}): Metering {
  return openMetering({
    ...{ directory, durability: 'process', bytesMax: 1_000_000, segmentBytesMax: 100_000, resendAfterMs: 60_000 },
    publish: () => Promise.resolve(),
    watermarks: createMemoryWatermarkStore(),
    log: SILENT,
    onLost: () => undefined,
    onHarm: () => undefined,
    onFailure: () => undefined,
    holds: { store: createMemoryHoldStore({ now: Date.now }), ttlMs: 60_000 },
    ...more,
  });
}

/** A bus with an aggregator behind it, which drops what it has seen and counts the rest. */
function createCounting(): { counted: string[]; watermarks: WatermarkStore; publish: (events: SequencedUsageEvent[]) => Promise<void> } {
  const watermarks = createMemoryWatermarkStore();
  const seen = new Set<string>();
  const counted: string[] = [];
  const publish = async (events: SequencedUsageEvent[]): Promise<void> => {
    for (const { writerId, sequence } of events) {
      if (!seen.has(`${writerId}:${sequence}`)) counted.push(writerId);
      seen.add(`${writerId}:${sequence}`);
      await watermarks.publish(new Map([[writerId, sequence]]));
    }
  };
  return { counted, watermarks, publish };
}

describe('the metering of a worker', () => {
  it('counts all usage of a process that starts on a journal emptied on disk', async () => {
    const { counted, publish, watermarks } = createCounting();
    const before = open({ publish, watermarks });
    for (let index = 0; index < 20; index += 1) runAttempt(before);
    expect(await before.drain(5_000, 'published')).toBe(true);
    const [folder = ''] = await readdir(directory);
    const kept = await mkdtemp(join(tmpdir(), 'weir-kept-'));
    await cp(join(directory, folder), join(kept, folder), { recursive: true });
    await before.close();
    // As a kill would leave it, and then somebody removes the segments.
    await cp(join(kept, folder), join(directory, folder), { recursive: true });
    await rm(kept, { recursive: true });
    for (const name of await readdir(join(directory, folder))) if (name.endsWith('.seg')) await rm(join(directory, folder, name));
    const onHarm = jest.fn();

    const after = open({ publish, watermarks, onHarm });
    for (let index = 0; index < 20; index += 1) runAttempt(after);
    expect(await after.drain(5_000, 'published')).toBe(true);

    expect(counted).toHaveLength(40);
    expect(onHarm).toHaveBeenCalled();
    await after.close();
  });

  it('ships what the process before it left, counts it in its readings, and leaves no folder once all is aggregated', async () => {
    const { counted, publish, watermarks } = createCounting();
    const away = open({ publish: () => Promise.reject(new Error('away')) });
    runAttempt(away);
    await away.close();
    expect(await readdir(directory)).toHaveLength(1);
    let isAway = true;
    const after = open({ watermarks, publish: (events) => (isAway ? Promise.reject(new Error('away')) : publish(events)) });
    runAttempt(after);
    expect(after.read()).toMatchObject({ orphans: 1, unpublished: 2, unaggregated: 2 });
    expect(await after.drain(50, 'aggregated')).toBe(false);

    isAway = false;

    expect(await after.drain(10_000, 'aggregated')).toBe(true);
    expect(new Set(counted).size).toBe(2);
    while (after.read().orphans > 0) await new Promise((resume) => setTimeout(resume, 5));
    await after.close();
    expect(await readdir(directory)).toEqual([]);
  });

  it('refuses new requests while what dead processes left fills the space of the journal', async () => {
    const publish = (): Promise<void> => Promise.reject(new Error('away'));
    const before = open({ publish });
    runAttempt(before);
    await before.close();

    const after = open({ publish, bytesMax: 300 });

    expect(after.isReady()).toBe(false);
    await after.close();
  });

  it('reports what the process before it used, and is not counted, to counters that were emptied while none ran', async () => {
    const publish = (): Promise<void> => Promise.reject(new Error('away'));
    const window = { window: 'day', startMs: Date.now() } as const;
    const scope = nameLimitScope({ limitId: randomUUID(), measure: 'requests', partition: '-', ...window });
    const event = makeUsageEvent({ hold_id: 'r', hold_scopes: [scope], logical: true });
    const before = createUsageJournal({ directory, durability: 'process', closeCrashed: () => event, now: Date.now });
    before.end(event.event_id, JSON.stringify(event));
    await before.close();

    const store = createMemoryHoldStore({ now: Date.now });
    const after = open({ publish, holds: { store, ttlMs: 60_000 } });
    const readSettled = async (): Promise<unknown> => (await store.readScope(event.org_id, scope)).settled;
    for (const until = Date.now() + 2_000; Date.now() < until && ((await readSettled()) as unknown[]).length === 0;)
      await new Promise((resume) => setTimeout(resume, 5));
    expect(await readSettled()).toEqual([{ holdId: 'r', amount: 1n }]);
    await after.close();
  });

  it('logs usage that is not plausible, and usage that could not be priced', async () => {
    const errors: string[] = [];
    const reported = (_fields: object, message: string): void => void errors.push(message);
    const log = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: reported,
      fatal: reported,
    } as unknown as Logger;
    const metering = open({ log });
    try {
      metering.meter.openAttempt(makePassport(), 0, 1).close({
        usage: { ...NO_USAGE, inputUncached: 5 },
        doubted: { usage: { ...NO_USAGE, inputUncached: 2 ** 40 } },
        ...{ status: 'ok', httpStatus: 200, errorOrigin: null, isLogical: true },
      });
      expect(errors).toEqual([expect.stringContaining('more usage than the request explains'), 'usage could not be priced']);
    } finally {
      await metering.close();
    }
  });
});
