import { createCounterOwner, shareCounters, waitForCounters, type CounterOwner, type OwnerHolder } from '@weir/limits';
import { waitUntil } from '@weir/testing';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { SILENT_LOG } from '../postgres/database-log';
import { createCounterOwnerStore, freeCounters } from './create-counter-owner-store';

const HOLDER: OwnerHolder = { pid: 12, host: 'one', since: '2026-11-29T00:00:00.000Z' };

let server: TestDatabase;
let lines: string[];
const log = {
  ...SILENT_LOG,
  warn: (_: unknown, line: string) => void lines.push(line),
  error: (_: unknown, line: string) => void lines.push(line),
};

beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());
beforeEach(async () => {
  lines = [];
  await server.database.pool.query('DELETE FROM counter_owner');
});

const openStore = () => createCounterOwnerStore(server.database.pool);
type OwnerOptions = Parameters<typeof createCounterOwner>[0];

function openOwner(options: Partial<OwnerOptions> = {}): CounterOwner {
  return createCounterOwner({ store: openStore(), holder: HOLDER, ttlMs: 60_000, isGone: () => false, log, ...options });
}

async function readEpoch(): Promise<number> {
  const { rows } = await server.database.pool.query<{ epoch: string }>('SELECT epoch FROM counter_owner');
  return Number(rows[0]?.epoch);
}

describe('who owns the counters of a database', () => {
  test('one of many that start at once, and the next one when it has ended in order', async () => {
    const owners = Array.from({ length: 8 }, () => openOwner());
    const ahead = await Promise.all(owners.map((owner) => owner.take()));
    const winner = owners[ahead.indexOf(undefined)] as CounterOwner;
    expect(ahead.filter((one) => one === undefined)).toHaveLength(1);
    expect(() => winner.check()).not.toThrow();
    for (const owner of owners) if (owner !== winner) expect(() => owner.check()).toThrow(/may count limits/);

    await winner.release();
    expect(() => winner.check()).toThrow(/counts limits in place of this one/);
    const next = openOwner();
    expect(await next.take()).toBeUndefined();
    expect(await readEpoch()).toBe(2);
    await next.release();
  });

  test('a second one is refused with a sentence that says who is there and what to set', async () => {
    const first = openOwner();
    await first.take();
    const second = openOwner();
    await expect(waitForCounters({ take: () => second.take(), waitMs: 300, log })).rejects.toThrow(
      /another gateway \(process 12 on host one, since 2026-11-29.*\) counts the limits of this database in its memory.*Set the same REDIS_URL.*weir counters release/,
    );
    expect(lines).toEqual([expect.stringContaining('waiting 1 s for it to end')]);
    await first.release();
  });

  test('one that waits takes over as soon as the first has ended', async () => {
    const [first, second] = [openOwner(), openOwner()];
    await first.take();
    const waiting = waitForCounters({ take: () => second.take(), waitMs: 10_000, log });
    await first.release();
    await waiting;
    expect(() => second.check()).not.toThrow();
    await second.release();
  });

  test('one that is known to have ended is not waited for', async () => {
    await openOwner().take();
    const next = openOwner({ isGone: (holder) => holder['pid'] === 12 });
    expect(await next.take()).toBeUndefined();
    await next.release();
  });

  test('one that was frozen admits nothing when it wakes up after another one took over, learns of it, and renews nothing', async () => {
    let nowMs = 0;
    const frozen = openOwner({ ttlMs: 2_000, clocks: [() => nowMs] });
    await frozen.take();
    nowMs = 1_799;
    expect(() => frozen.check()).not.toThrow();

    await server.database.pool.query("UPDATE counter_owner SET owned_until = clock_timestamp() - interval '1 millisecond'");
    const next = openOwner();
    expect(await next.take()).toBeUndefined();
    // Its time by its own clock is over before the database's says so, and before it asks.
    nowMs = 1_801;
    expect(() => frozen.check()).toThrow(expect.objectContaining({ code: 'dependency_down' }));
    expect(await frozen.lost).toMatch(/another gateway has taken over/);
    expect(frozen.describe()).toMatch(/in place of this one/);
    nowMs = 0;
    expect(() => frozen.check()).toThrow();
    expect(lines).toContainEqual(expect.stringContaining('this one admits no more requests'));
    expect(await openOwner().take()).toBeDefined();
    await next.release();
  });

  test('a database that was away too long stops it, and lets it go on where no other one came', async () => {
    let nowMs = 0;
    const store = openStore();
    let isAway = true;
    const renew: typeof store.renew = (...claim) => (isAway ? Promise.reject(new Error('away')) : store.renew(...claim));
    const owner = openOwner({ store: { ...store, renew }, ttlMs: 2_000, clocks: [() => nowMs] });
    await owner.take();
    nowMs = 3_000;
    expect(owner.describe()).toMatch(/out of reach/);
    expect(() => owner.check()).toThrow(/out of reach/);
    await waitUntil('the log says so', () => lines.some((line) => line.includes('requests are refused')));
    isAway = false;
    await waitUntil('the owner goes on', () => owner.describe() === null);
    await owner.release();
  });

  test('a database that was restored to an earlier moment keeps the owner that lives', async () => {
    const owner = openOwner({ ttlMs: 2_000 });
    await owner.take();
    await owner.release();
    const later = openOwner({ ttlMs: 2_000 });
    await later.take();
    await server.database.pool.query('UPDATE counter_owner SET epoch = 1, owner_id = gen_random_uuid()');
    await waitUntil('the row is the living owner’s again', async () => (await readEpoch()) === 2);
    expect(() => later.check()).not.toThrow();
    await later.release();
  });

  test('one whose counters an operator has given free ends', async () => {
    const owner = openOwner({ ttlMs: 2_000 });
    await owner.take();
    const free = (isForced: boolean) => freeCounters(server.database.pool, isForced);
    expect(await free(false)).toBe('living');
    expect(await free(true)).toEqual(HOLDER);
    expect(await owner.lost).toMatch(/taken over/);
    expect(await free(true)).toBeNull();
  });

  test('a reply that was lost is no other owner', async () => {
    const store = openStore();
    const claim = { ownerId: '7f000000-0000-4000-8000-000000000001', holder: HOLDER, ttlMs: 60_000 };
    expect([await store.take(claim), await store.take(claim)]).toEqual([{ epoch: 1 }, { epoch: 2 }]);
  });

  test('processes with Redis share the counters, and keep out one that counts in its memory; and the other way round', async () => {
    const shared = { store: openStore(), holder: HOLDER, isGone: () => false, log };
    const stops = [await shareCounters(shared, 0), await shareCounters(shared, 0)];
    const alone = openOwner();
    await expect(waitForCounters({ take: () => alone.take(), waitMs: 0, log })).rejects.toThrow(
      /processes with REDIS_URL count the limits/,
    );
    for (const stop of stops) await stop();

    await server.database.pool.query('UPDATE counter_owner SET owner_id = NULL');
    expect(await alone.take()).toBeUndefined();
    await expect(shareCounters(shared, 0)).rejects.toThrow(/counts the limits of this database in its memory/);
    await alone.release();
    await (
      await shareCounters(shared, 0)
    )();
  });
});
