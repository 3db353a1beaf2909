import { rmSync } from 'node:fs';
import type { SequencedUsageEvent } from '@weir/contracts';
import {
  beginAttempt,
  closeCrashed,
  describeEvent,
  listSegments,
  makeDirectory,
  openJournal,
  recoverJournal,
  runAttempt,
} from '../__fixtures__/open-journal';
import type { UsageJournal } from '../usage-journal';
import { createJournalShipper, type JournalShipper, type JournalShipperOptions } from './create-journal-shipper';
import { shipOrphanJournals } from './ship-orphan-journals';

function createWatermarks() {
  const known = new Map<string, bigint>();
  return {
    publish: (more: ReadonlyMap<string, bigint>) => {
      for (const [writerId, sequence] of more) known.set(writerId, sequence);
    },
    read: (writerId: string) => Promise.resolve(known.get(writerId)),
  };
}

/** A bus that can be away, and remembers what it took. */
function createBus(): {
  events: SequencedUsageEvent[];
  batches: number[];
  ids(): string[];
  isAway: boolean;
  publish(events: SequencedUsageEvent[]): Promise<void>;
} {
  const bus = {
    events: [] as SequencedUsageEvent[],
    batches: [] as number[],
    isAway: false,
    ids: () => bus.events.map(describeEvent),
    publish: (events: SequencedUsageEvent[]): Promise<void> => {
      if (bus.isAway) return Promise.reject(new Error('the bus is away'));
      bus.events.push(...events);
      bus.batches.push(events.length);
      return Promise.resolve();
    },
  };
  return bus;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('the journal shipper', () => {
  let directory: string;
  let journal: UsageJournal;
  let shipper: JournalShipper | undefined;
  let bus: ReturnType<typeof createBus>;
  const watermarks = { current: createWatermarks() };

  function ship(more: Partial<JournalShipperOptions> = {}): JournalShipper {
    shipper = createJournalShipper({ journal, publish: bus.publish, watermarks: watermarks.current, pollMs: 5, lingerMs: 1, ...more });
    return shipper;
  }

  beforeEach(() => {
    directory = makeDirectory();
    journal = openJournal(directory, { segmentBytesMax: 400 });
    bus = createBus();
    watermarks.current = createWatermarks();
  });
  afterEach(async () => {
    await shipper?.close();
    await journal.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('publishes every end in order, and new ones as they come', async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `r${index}:1`);
    for (const id of ids) runAttempt(journal, id);
    const shipping = ship();
    expect(await shipping.drain(5_000)).toBe(true);
    expect(bus.ids()).toEqual(ids);
    expect(bus.events.map((event) => event.sequence)).toEqual(ids.map((_, index) => BigInt(index)));
    runAttempt(journal, 'late:1');
    await until(() => bus.ids().at(-1) === 'late:1');
    expect(bus.events).toHaveLength(26);
  });

  it('ships a lone event at once, and what keeps coming in batches that are apart', async () => {
    const everyMs = 1_000;
    ship({ everyMs });
    const startedAt = performance.now();
    runAttempt(journal, 'lone:1');
    await until(() => bus.events.length === 1);
    const loneMs = performance.now() - startedAt;
    for (let index = 0; index < 60; index += 1) {
      runAttempt(journal, `r${index}:1`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await until(() => bus.events.length === 61);
    expect(loneMs).toBeLessThan(everyMs);
    expect(bus.batches.length).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / everyMs);
  });

  it('publishes in batches of bounded size', async () => {
    for (let index = 0; index < 25; index += 1) runAttempt(journal, `r${index}:1`);
    expect(await ship({ batchMax: 10 }).drain(5_000)).toBe(true);
    expect(bus.batches).toEqual([10, 10, 5]);
  });

  it('publishes nothing that is not safe on disk', async () => {
    const pending: ((error: Error | null) => void)[] = [];
    await journal.close();
    journal = openJournal(directory, { files: { fdatasync: (_fd, done) => void pending.push(done) } });
    ship();
    runAttempt(journal, 'a:1');
    await until(() => pending.length > 0);
    expect(bus.events).toEqual([]);
    const release = setInterval(() => pending.splice(0).forEach((done) => done(null)), 1);
    await until(() => bus.events.length > 0);
    expect(bus.ids()).toEqual(['a:1']);
    await shipper?.close();
    await journal.close();
    clearInterval(release);
  });

  it('tries for ever while the bus is away, and loses neither an event nor the order', async () => {
    bus.isAway = true;
    const shipping = ship();
    for (let index = 0; index < 5; index += 1) runAttempt(journal, `r${index}:1`);
    await until(() => shipping.stats().failures >= 2);
    for (let index = 5; index < 10; index += 1) runAttempt(journal, `r${index}:1`);
    expect(await shipping.drain(20)).toBe(false);
    bus.isAway = false;
    expect(await shipping.drain(5_000)).toBe(true);
    expect(bus.ids()).toEqual(Array.from({ length: 10 }, (_, index) => `r${index}:1`));
  });

  it('does not hurry its next try because new events come', async () => {
    bus.isAway = true;
    let tries = 0;
    const publish = (events: SequencedUsageEvent[]): Promise<void> => {
      tries += 1;
      return bus.publish(events);
    };
    ship({ publish });
    runAttempt(journal, 'first:1');
    await until(() => tries === 2);
    for (let index = 0; index < 20; index += 1) {
      runAttempt(journal, `r${index}:1`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    // Each event waking it would make some twenty tries; the pauses double, so even seconds of a stalled machine are few.
    expect(tries).toBeLessThan(10);
  });

  it('goes on above the watermark after a restart', async () => {
    for (let index = 0; index < 10; index += 1) runAttempt(journal, `r${index}:1`);
    watermarks.current.publish(new Map([[journal.writerId, 6n]]));
    await journal.close();
    journal = recoverJournal(directory);
    expect(await ship().drain(5_000)).toBe(true);
    expect(bus.ids()).toEqual(['r7:1', 'r8:1', 'r9:1']);
  });

  it('trims by the watermark, and starts above what is trimmed even if the watermark is forgotten', async () => {
    for (let index = 0; index < 20; index += 1) runAttempt(journal, `r${index}:1`);
    const shipping = ship();
    await shipping.drain(5_000);
    const before = listSegments(directory, journal.writerId).length;
    watermarks.current.publish(new Map([[journal.writerId, 18n]]));
    await until(() => listSegments(directory, journal.writerId).length < before);
    expect(journal.tail.trimmedBelow).toBe(19);
    // Files go one by one, each before its entry: only at rest do folder and list agree.
    await until(() => listSegments(directory, journal.writerId).length <= 2);
    await until(() => listSegments(directory, journal.writerId).length === journal.tail.segments.length);
    await shipping.close();
    await journal.close();
    journal = recoverJournal(directory);
    watermarks.current = createWatermarks();
    bus.events.length = 0;
    expect(await ship().drain(5_000)).toBe(true);
    expect(bus.ids()).toEqual(['r19:1']);
  });

  it('publishes again from a sequence on request', async () => {
    for (let index = 0; index < 10; index += 1) runAttempt(journal, `r${index}:1`);
    const shipping = ship();
    await shipping.drain(5_000);
    shipping.resendFrom(4n);
    await until(() => bus.events.length === 16);
    expect(bus.ids().slice(10)).toEqual(['r4:1', 'r5:1', 'r6:1', 'r7:1', 'r8:1', 'r9:1']);
    runAttempt(journal, 'new:1');
    await until(() => bus.ids().at(-1) === 'new:1');
    expect(bus.events).toHaveLength(17);
  });

  it('publishes again by itself what was published but never aggregated', async () => {
    let now = 0;
    for (let index = 0; index < 4; index += 1) runAttempt(journal, `r${index}:1`);
    const shipping = ship({ now: () => now, resendAfterMs: 1_000 });
    await shipping.drain(5_000);
    watermarks.current.publish(new Map([[journal.writerId, 1n]]));
    await until(() => shipping.stats().watermark === 1);
    expect(bus.events).toHaveLength(4);
    now = 1_000;
    await until(() => bus.events.length === 6);
    expect(bus.ids().slice(4)).toEqual(['r2:1', 'r3:1']);
  });

  it('never gives out a sequence that somebody has seen before', async () => {
    runAttempt(journal, 'a:1');
    watermarks.current.publish(new Map([[journal.writerId, 40n]]));
    const shipping = ship();
    await until(() => journal.tail.nextSequence === 41);
    expect(runAttempt(journal, 'b:1')).toBe(41n);
    expect(await shipping.drain(5_000)).toBe(true);
    expect(bus.ids()).toEqual(['b:1']);
  });

  it('works on while the watermark cannot be read', async () => {
    runAttempt(journal, 'a:1');
    const broken = { publish: () => Promise.resolve(), read: () => Promise.reject(new Error('away')) };
    expect(await ship({ watermarks: broken }).drain(5_000)).toBe(true);
    expect(bus.ids()).toEqual(['a:1']);
  });

  it('closes although the bus never replies', async () => {
    runAttempt(journal, 'a:1');
    let wasCalled = false;
    const shipping = ship({
      publish: () => {
        wasCalled = true;
        return new Promise(() => undefined);
      },
    });
    await until(() => wasCalled);
    await shipping.close();
    expect(await shipping.drain(0)).toBe(false);
  });

  it('ships orphans under their own writer id and removes each when all of it is aggregated', async () => {
    const orphan = openJournal(directory);
    runAttempt(orphan, 'left:1');
    beginAttempt(orphan, 'cut:1');
    await orphan.close();
    const journals = { directory, durability: 'process' as const, closeCrashed, now: () => 0 };
    const shipping = shipOrphanJournals({ journals, publish: bus.publish, watermarks: watermarks.current, pollMs: 5, lingerMs: 1 });
    expect(shipping.writerIds).toEqual([orphan.writerId]);
    expect(await shipping.drain(5_000)).toBe(true);
    expect(bus.ids()).toEqual(['left:1', 'cut:1!']);
    expect(new Set(bus.events.map((event) => event.writerId))).toEqual(new Set([orphan.writerId]));
    expect(listSegments(directory, orphan.writerId)).not.toEqual([]);
    watermarks.current.publish(new Map([[orphan.writerId, 1n]]));
    await shipping.retired;
    expect(() => listSegments(directory, orphan.writerId)).toThrow('ENOENT');
    await shipping.close();
  });

  it('keeps the folder of a dead writer until that it is aggregated was reported, which is tried again', async () => {
    const orphan = openJournal(directory);
    runAttempt(orphan, 'left:1');
    await orphan.close();
    const journals = { directory, durability: 'process' as const, closeCrashed, now: () => 0 };
    const kept: boolean[] = [];
    const onAggregated = (writerId: string): Promise<void> => {
      kept.push(listSegments(directory, writerId).length > 0);
      return kept.length === 1 ? Promise.reject(new Error('away')) : Promise.resolve();
    };
    watermarks.current.publish(new Map([[orphan.writerId, 0n]]));
    const shipping = shipOrphanJournals({ journals, onAggregated, publish: bus.publish, watermarks: watermarks.current, pollMs: 5 });
    await shipping.retired;
    expect(kept).toEqual([true, true]);
    expect(() => listSegments(directory, orphan.writerId)).toThrow('ENOENT');
    await shipping.close();
  });
});
