import { randomUUID } from 'node:crypto';
import type { SequencedUsageEvent, UsageEvent } from '@weir/contracts';
import { API_KEY_ID, makeUsageEvent, NO_UNITS, ORGANIZATION_ID, sequenceEvents } from '@weir/testing';
import { DAY_MS, HOUR_MS, type UsageStore } from '@weir/usage';
import { clearUsage } from '../../__fixtures__/clear-usage';
import { startTestDatabase, type TestDatabase } from '../../__fixtures__/test-database';
import { createDatabase } from '../../connection/create-database';
import { createUsageStore } from '../create-usage-store';
import { replayDeadLetters } from '../dead-letters/replay-dead-letters';

const NOW = Date.UTC(2026, 7, 7, 13);

let server: TestDatabase;
let store: UsageStore;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await clearUsage(server.database.pool);
  store = createStore();
});

function createStore(now = NOW): UsageStore {
  return createUsageStore({ pool: server.database.pool, now: () => now });
}

async function queryRows(text: string): Promise<Record<string, unknown>[]> {
  return (await server.database.pool.query<Record<string, unknown>>(text)).rows;
}

/** What five independent places hold; equal when nothing was lost and nothing counted twice. */
async function readTotals(): Promise<Record<string, { attempts: string; cost: string }>> {
  const rows = await queryRows(`
    SELECT 'hour' AS place, sum(attempts)::text AS attempts, sum(cost_pico)::text AS cost FROM usage_hour
    UNION ALL SELECT 'day', sum(attempts)::text, sum(cost_pico)::text FROM usage_day
    UNION ALL SELECT 'month', sum(attempts)::text, sum(cost_pico)::text FROM usage_month
    UNION ALL SELECT 'events', count(*)::text, sum((payload->>'cost_p')::numeric)::text FROM usage_event
    UNION ALL SELECT 'spend', (SELECT count(*) FROM usage_event)::text, sum(cost_pico)::text FROM spend_month WHERE scope = 'organization'`);
  return Object.fromEntries(rows.map(({ place, attempts, cost }) => [place, { attempts, cost }])) as Record<
    string,
    { attempts: string; cost: string }
  >;
}

async function expectTotals(attempts: number, cost: bigint): Promise<void> {
  const same = { attempts: String(attempts), cost: String(cost) };
  expect(await readTotals()).toEqual({ hour: same, day: same, month: same, events: same, spend: same });
}

async function expectBalancedLedger(billed: bigint): Promise<void> {
  const [entries] = await queryRows('SELECT coalesce(sum(amount), 0) = 0 AS balanced FROM ledger_entry');
  expect(entries).toEqual({ balanced: true });
  const [accounts] =
    await queryRows(`SELECT bool_and(a.balance = (SELECT sum(e.amount) FROM ledger_entry e WHERE e.account_id = a.id)) AS kept,
    trim_scale(sum(a.balance) FILTER (WHERE kind = 'usage') * 1000000000000)::text AS billed FROM ledger_account a`);
  expect(accounts).toEqual({ kept: true, billed: String(billed) });
}

const usd = (event: UsageEvent): bigint => BigInt(event.cost_p);
const sumCost = (events: readonly UsageEvent[]): bigint => events.reduce((sum, event) => sum + usd(event), 0n);

function manyEvents(count: number): UsageEvent[] {
  return Array.from({ length: count }, (_, at) =>
    makeUsageEvent({
      admitted_at: NOW - (at % 50) * HOUR_MS,
      model_used: `vendor/model-${at % 7}`,
      extra: { team: `t${at % 5}` },
      user_id: at % 2 === 0 ? null : '33333333-3333-4333-8333-333333333333',
      group_id: at % 3 === 0 ? null : '44444444-4444-4444-8444-444444444444',
      cost_p: String(1_000_000_007n * BigInt(at + 1)),
      billed_p: String(1_000_000_007n * BigInt(at + 1)),
    }),
  );
}

function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const shuffled = [...items];
  let state = seed;
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    state = (state * 1103515245 + 12345) % 2147483648;
    const other = state % (at + 1);
    [shuffled[at], shuffled[other]] = [shuffled[other] as Item, shuffled[at] as Item];
  }
  return shuffled;
}

it('keeps another event under a sequence that was counted as a dead letter, once, and drops true repeats', async () => {
  const writerId = randomUUID();
  const counted = manyEvents(3);
  await store.applyBatch(sequenceEvents(writerId, counted), null);
  // The journal was put back from an older copy and gave sequences out again: one to usage of its own, one to usage that was counted.
  const fresh = makeUsageEvent({ admitted_at: NOW - HOUR_MS });
  const again = sequenceEvents(writerId, [fresh, counted[2]!, counted[2]!]);

  const first = await store.applyBatch(again, null);
  const second = await store.applyBatch(again, null);

  expect([first, second]).toMatchObject([
    { applied: 0, duplicates: 2, deadLettered: 1 },
    { applied: 0, duplicates: 3, deadLettered: 0 },
  ]);
  expect(await queryRows('SELECT seq::int AS seq, reason FROM usage_dead_letter')).toEqual([{ seq: 0, reason: 'sequence_taken' }]);
  await expectTotals(3, sumCost(counted));
  const replayed = await replayDeadLetters({ pool: server.database.pool, reason: 'sequence_taken', acceptLate: true });
  expect(replayed).toEqual({ replayed: 1, refused: {} });
  await expectTotals(4, sumCost([...counted, fresh]));
});

describe('applying batches', () => {
  test('the same batch twice counts once, and says so', async () => {
    const events = manyEvents(300);
    const batch = sequenceEvents(randomUUID(), events);
    const watermarks = new Map([[batch[0]?.writerId, 299n]]);
    expect(await store.applyBatch(batch, null)).toEqual({ applied: 300, duplicates: 0, deadLettered: 0, holds: [], watermarks });
    expect(await store.applyBatch(batch, null)).toEqual({ applied: 0, duplicates: 300, deadLettered: 0, holds: [], watermarks });
    await expectTotals(300, sumCost(events));
    await expectBalancedLedger(sumCost(events));
  });

  test('repeats inside one batch count once', async () => {
    const batch = sequenceEvents(randomUUID(), [makeUsageEvent()]);
    expect(await store.applyBatch([...batch, ...batch, ...batch], null)).toMatchObject({ applied: 1, duplicates: 2 });
    await expectTotals(1, 27_000_000n);
  });

  test('overlapping and out of order: what was missing is filled in, the watermark waits for it', async () => {
    const writerId = randomUUID();
    const batch = sequenceEvents(writerId, manyEvents(100));
    const watermarkAfter = async (from: number, to: number) =>
      (await store.applyBatch(batch.slice(from, to), null)).watermarks.get(writerId);
    expect(await watermarkAfter(40, 60)).toBeUndefined();
    expect(await watermarkAfter(0, 10)).toBe(9n);
    expect(await queryRows('SELECT first_gap_at IS NOT NULL AS gap FROM usage_writer')).toEqual([{ gap: true }]);
    expect(await watermarkAfter(50, 100)).toBe(9n);
    expect(await watermarkAfter(5, 45)).toBe(99n);
    expect(await queryRows('SELECT seen::text AS seen, first_gap_at FROM usage_writer')).toEqual([
      { seen: '{[0,100)}', first_gap_at: null },
    ]);
    await expectTotals(100, sumCost(manyEvents(100)));
  });

  test('four stores given the same shuffled events at once count each once', async () => {
    const events = manyEvents(600);
    const writers = [randomUUID(), randomUUID(), randomUUID()];
    const all = writers.flatMap((writerId, at) => sequenceEvents(writerId, events.slice(at * 200, at * 200 + 200)));
    const runs = [1, 2, 3, 4].map(async (seed) => {
      const own = createStore();
      const shuffled = shuffle(all, seed);
      let [applied, duplicates] = [0, 0];
      for (let at = 0; at < shuffled.length; at += 50) {
        const result = await own.applyBatch(shuffled.slice(at, at + 50), null);
        applied += result.applied;
        duplicates += result.duplicates;
      }
      return { applied, duplicates };
    });
    const results = await Promise.all(runs);
    expect(results.reduce((sum, { applied }) => sum + applied, 0)).toBe(600);
    expect(results.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(1800);
    await expectTotals(600, sumCost(events));
    await expectBalancedLedger(sumCost(events));
    expect(await queryRows('SELECT DISTINCT seen::text AS seen FROM usage_writer')).toEqual([{ seen: '{[0,200)}' }]);
  }, 60_000);

  test('two stores that both meet new series at once agree on their ids', async () => {
    const [a, b] = [createStore(), createStore()];
    const events = manyEvents(200);
    await Promise.all([a.applyBatch(sequenceEvents(randomUUID(), events), null), b.applyBatch(sequenceEvents(randomUUID(), events), null)]);
    await expectTotals(400, 2n * sumCost(events));
    const [series] = await queryRows('SELECT count(*) = count(DISTINCT hash) AS distinct, count(*)::int AS count FROM usage_series');
    expect(series?.['distinct']).toBe(true);
  });

  test('after a rollback the same store counts with series that exist', async () => {
    const { pool } = server.database;
    const batch = sequenceEvents(randomUUID(), manyEvents(10));
    await pool.query('ALTER TABLE usage_event RENAME TO usage_event_away');
    await expect(store.applyBatch(batch, null)).rejects.toThrow(/usage_event/);
    await pool.query('ALTER TABLE usage_event_away RENAME TO usage_event');
    expect(await store.applyBatch(batch, null)).toMatchObject({ applied: 10, duplicates: 0 });
    await expectTotals(10, sumCost(manyEvents(10)));
    const [orphans] = await queryRows(
      'SELECT count(*)::int AS count FROM usage_hour h LEFT JOIN usage_series s ON s.id = h.series_id WHERE s.id IS NULL',
    );
    expect(orphans).toEqual({ count: 0 });
  });

  test('the offset of the source moves with the batch, also backwards when a topic was created anew', async () => {
    const batch = sequenceEvents(randomUUID(), manyEvents(3));
    await store.applyBatch(batch.slice(0, 2), { topic: 'usage', partition: 3, nextOffset: 100n });
    await store.applyBatch(batch.slice(2), { topic: 'usage', partition: 3, nextOffset: 5n });
    expect(await queryRows('SELECT topic, partition, next_offset::text AS next FROM usage_offset')).toEqual([
      { topic: 'usage', partition: 3, next: '5' },
    ]);
  });

  test('an empty batch changes nothing but the offset', async () => {
    expect(await store.applyBatch([], { topic: 'usage', partition: 0, nextOffset: 7n })).toEqual({
      applied: 0,
      duplicates: 0,
      deadLettered: 0,
      holds: [],
      watermarks: new Map(),
    });
    expect(await queryRows('SELECT next_offset::text AS next FROM usage_offset')).toEqual([{ next: '7' }]);
  });
});

describe('time', () => {
  test('a request counts in the hour, day and month of its admission, to the last millisecond, whatever the time zone of the database', async () => {
    const { pool } = server.database;
    await pool.query("ALTER ROLE CURRENT_USER SET timezone = 'America/New_York'");
    const elsewhere = createDatabase({ url: server.url });
    const last = Date.UTC(2026, 6, 31, 23, 59, 59, 999);
    const events = [last, last + 1].map((admitted_at) => makeUsageEvent({ admitted_at, ended_at: last + DAY_MS }));
    await createUsageStore({ pool: elsewhere.pool, now: () => NOW }).applyBatch(sequenceEvents(randomUUID(), events), null);
    await elsewhere.close();
    await pool.query('ALTER ROLE CURRENT_USER RESET timezone');
    for (const [table, starts] of [
      ['usage_hour', ['2026-07-31T23:00:00.000Z', '2026-08-01T00:00:00.000Z']],
      ['usage_day', ['2026-07-31T00:00:00.000Z', '2026-08-01T00:00:00.000Z']],
      ['usage_month', ['2026-07-01T00:00:00.000Z', '2026-08-01T00:00:00.000Z']],
    ] as const) {
      const rows = await queryRows(`SELECT period_start FROM ${table} ORDER BY 1`);
      expect(rows.map((row) => (row['period_start'] as Date).toISOString())).toEqual(starts);
    }
    const months = await queryRows("SELECT month FROM spend_month WHERE scope = 'key' ORDER BY 1");
    expect(months.map((row) => (row['month'] as Date).toISOString())).toEqual(['2026-07-01T00:00:00.000Z', '2026-08-01T00:00:00.000Z']);
    const postings = await queryRows('SELECT effective_at FROM ledger_tx ORDER BY 1');
    expect(postings.map((row) => (row['effective_at'] as Date).toISOString())).toEqual([
      '2026-07-31T23:00:00.000Z',
      '2026-08-01T00:00:00.000Z',
    ]);
    const raw = await queryRows('SELECT admitted_at FROM usage_event ORDER BY 1');
    expect(raw.map((row) => (row['admitted_at'] as Date).getTime())).toEqual([last, last + 1]);
  });

  test('late events land in their own hour; too late ones are kept aside; events of the future count now and are marked', async () => {
    const at = (admitted_at: number) => makeUsageEvent({ admitted_at });
    const events = [at(NOW - 34 * DAY_MS), at(NOW - 36 * DAY_MS), at(NOW + HOUR_MS)];
    expect(await store.applyBatch(sequenceEvents(randomUUID(), events), null)).toMatchObject({ applied: 2, deadLettered: 1 });
    const hours = await queryRows('SELECT extract(epoch FROM period_start)::bigint::text AS at FROM usage_hour ORDER BY 1');
    expect(hours.map((row) => Number(row['at']) * 1000)).toEqual([Math.floor((NOW - 34 * DAY_MS) / HOUR_MS) * HOUR_MS, NOW]);
    expect(await queryRows('SELECT reason FROM usage_dead_letter')).toEqual([{ reason: 'too_late' }]);
    expect(await queryRows('SELECT count(*)::int AS count FROM usage_event WHERE time_clamped')).toEqual([{ count: 1 }]);
  });
});

describe('dead letters', () => {
  test('what cannot be read is kept byte for byte, marked seen, and holds up nothing', async () => {
    const writerId = randomUUID();
    const payloads = ['{broken', '{"v":2,"new":true}', JSON.stringify({ ...makeUsageEvent(), units: { ...NO_UNITS, out: -1 } })];
    const batch = sequenceEvents(writerId, [makeUsageEvent(), ...payloads, makeUsageEvent()]);
    expect(await store.applyBatch(batch, null)).toEqual({
      applied: 2,
      duplicates: 0,
      deadLettered: 3,
      holds: [],
      watermarks: new Map([[writerId, 4n]]),
    });
    expect(await store.applyBatch(batch, null)).toMatchObject({ applied: 0, duplicates: 5, deadLettered: 0 });
    const letters = await queryRows(
      "SELECT seq::int AS seq, reason, convert_from(payload, 'UTF8') AS payload FROM usage_dead_letter ORDER BY seq",
    );
    expect(letters).toEqual([
      { seq: 1, reason: 'unreadable', payload: payloads[0] },
      { seq: 2, reason: 'unknown_version', payload: payloads[1] },
      { seq: 3, reason: 'unreadable', payload: payloads[2] },
    ]);
    await expectTotals(2, 54_000_000n);
  });

  test('an event that only Postgres refuses is found in its batch and set aside, all others count', async () => {
    const writerId = randomUUID();
    const poison = makeUsageEvent({ request_id: 'poison' });
    await server.database.pool.query("ALTER TABLE usage_event ADD CONSTRAINT no_poison CHECK (request_id <> 'poison')");
    const batch = sequenceEvents(writerId, [makeUsageEvent(), makeUsageEvent(), poison, makeUsageEvent(), makeUsageEvent()]);
    const source = { topic: 'usage', partition: 0, nextOffset: 5n };
    expect(await store.applyBatch(batch, source)).toEqual({
      applied: 4,
      duplicates: 0,
      deadLettered: 1,
      holds: [],
      watermarks: new Map([[writerId, 4n]]),
    });
    await server.database.pool.query('ALTER TABLE usage_event DROP CONSTRAINT no_poison');
    expect(await queryRows('SELECT seq::int AS seq, reason FROM usage_dead_letter')).toEqual([{ seq: 2, reason: 'unstorable' }]);
    await expectTotals(4, 4n * 27_000_000n);
  });

  test('an event without a usable place is kept, though nothing can be marked', async () => {
    const stray: SequencedUsageEvent = { writerId: 'no-uuid', epoch: 0, sequence: 1n, payload: '{}' };
    expect(await store.applyBatch([stray], null)).toEqual({ applied: 0, duplicates: 0, deadLettered: 1, holds: [], watermarks: new Map() });
    expect(await queryRows('SELECT writer_id, seq, reason FROM usage_dead_letter')).toEqual([
      { writer_id: null, seq: null, reason: 'unplaced' },
    ]);
  });

  test('text that Postgres has no place for still counts', async () => {
    const event = makeUsageEvent({ origin_title: 'a\u0000\ud800', extra: { team: `"{},\\\udc00'` }, end_user_id: "O'Neil, {x}" });
    expect(await store.applyBatch(sequenceEvents(randomUUID(), [event]), null)).toMatchObject({ applied: 1, deadLettered: 0 });
    expect(await queryRows('SELECT origin_title, extra, end_user_id FROM usage_series')).toEqual([
      { origin_title: 'a\ufffd', extra: { team: `"{},\\\ufffd'` }, end_user_id: "O'Neil, {x}" },
    ]);
  });
});

describe('money', () => {
  test('spend is kept for key, member, group, member of group and organization, in full', async () => {
    const [user, group] = ['33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444'];
    const costs = ['999999999999999999999', '1'];
    const events = costs.map((cost_p) => makeUsageEvent({ user_id: user, group_id: group, cost_p, billed_p: cost_p }));
    await store.applyBatch(sequenceEvents(randomUUID(), events), null);
    await store.applyBatch(sequenceEvents(randomUUID(), [makeUsageEvent({ cost_p: '5', billed_p: '5' })]), null);
    const rows = await queryRows(
      'SELECT scope, scope_id, cost_pico::text AS cost, requests::int AS requests, version::int AS version FROM spend_month ORDER BY 1',
    );
    const both = '1000000000000000000000';
    expect(rows).toEqual([
      { scope: 'group', scope_id: group, cost: both, requests: 2, version: 1 },
      { scope: 'group_member', scope_id: `${group}/${user}`, cost: both, requests: 2, version: 1 },
      { scope: 'key', scope_id: API_KEY_ID, cost: '1000000000000000000005', requests: 3, version: 2 },
      { scope: 'member', scope_id: user, cost: both, requests: 2, version: 1 },
      { scope: 'organization', scope_id: ORGANIZATION_ID, cost: '1000000000000000000005', requests: 3, version: 2 },
    ]);
    await expectBalancedLedger(1_000_000_000_000_000_000_005n);
  });

  test('usage under the own provider key is spent but not owed', async () => {
    await store.applyBatch(sequenceEvents(randomUUID(), [makeUsageEvent({ is_byok: true, billed_p: '0' })]), null);
    await expectTotals(1, 27_000_000n);
    expect(await queryRows('SELECT 1 FROM ledger_tx')).toEqual([]);
  });
});
