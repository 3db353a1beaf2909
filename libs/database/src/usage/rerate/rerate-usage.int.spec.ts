import { randomUUID } from 'node:crypto';
import { nameLimitScope } from '@weir/limits';
import { formatUsd } from '@weir/pricing';
import { NO_UNITS } from '@weir/testing';
import { DAY_MS, HOUR_MS, parseGenerationQuery } from '@weir/usage';
import { clearUsage } from '../../__fixtures__/clear-usage';
import { postCredit, type CreditKind } from '../../ledger/post-credit';
import { readBalance } from '../../ledger/read-balance';
import { createHoldTruth } from '../../limits/create-hold-truth';
import { keepPartitions } from '../partitions/keep-partitions';
import { createGenerationReader } from '../create-generation-reader';
import { HOUR, makePriced, NOW, startRerateBench, type RerateBench } from './__fixtures__/rerate-bench';

const WRONG_TO_RIGHT = ['wrong', 'right'] as const;
const USD = 1_000_000_000_000n;

let bench: RerateBench;
let organizationId: string;
beforeAll(async () => {
  bench = await startRerateBench();
});
afterAll(() => bench.server.stop());
beforeEach(async () => {
  await clearUsage(bench.pool);
  bench.notes.length = 0;
  organizationId = await bench.createOrganization();
});

const make = (more: Parameters<typeof makePriced>[1] = {}, version = 'wrong') => makePriced(version, { org_id: organizationId, ...more });
const give = (kind: CreditKind, amountPico: bigint, more: { atMs?: number; expiresAtMs?: number } = {}) =>
  postCredit(bench.pool, { organizationId, kind, amountPico, idempotencyKey: randomUUID(), atMs: HOUR - 30 * HOUR_MS, ...more });

async function readSums(): Promise<Record<string, unknown>> {
  const [month] = await bench.rows(
    `SELECT sum(cost_pico)::text AS cost, sum(billed_pico)::text AS billed, sum(requests)::int AS requests, sum(attempts)::int AS attempts,
      sum(errors)::int AS errors, sum(input_tokens)::int AS input, sum(duration_ms)::int AS ms, count(*)::int AS series FROM usage_month WHERE org_id = $1`,
    [organizationId],
  );
  return month ?? {};
}

const sum = (events: readonly { cost_p: string }[]): bigint => events.reduce((total, { cost_p: cost }) => total + BigInt(cost), 0n);
const priceBy = (version: string, { cost_p: _cost, ...event }: ReturnType<typeof make>) => makePriced(version, event);
const rightOf = (events: readonly ReturnType<typeof make>[]) => events.map((event) => priceBy('right', event));
const notesOf = async () => (await bench.history(organizationId)).filter(({ kind }) => kind === 'price_correction');

test('a price that was too high: everything costs what it should have, in all places, and nothing else has changed', async () => {
  await give('top_up', USD);
  const wrong = [
    make(),
    make({ admitted_at: HOUR - 25 * HOUR_MS, is_byok: true }),
    make({ extra: { team: 'a' }, units: { ...NO_UNITS, in: 5 } }),
  ];
  const others = [make({}, 'right'), make({ admitted_at: NOW + 1 }), make({ model_used: 'vendor/other' })];
  await bench.use([...wrong, ...others]);
  const before = await readSums();
  const revision = await bench.rows("SELECT version::int FROM spend_month WHERE scope = 'organization' AND scope_id = $1", [
    organizationId,
  ]);

  const result = await bench.rerate(WRONG_TO_RIGHT);

  const right = rightOf(wrong);
  const difference = sum(right) - sum(wrong);
  const billed = difference - (sum([right[1]!]) - sum([wrong[1]!]));
  expect(result).toMatchObject({
    isResumed: false,
    left: [],
    organizations: [{ organizationId, state: 'done', corrected: 3, leftOver: 0, costPico: difference, billedPico: billed }],
  });
  expect(bench.notes).toEqual([{ organizationId, corrected: 3 }]);
  const { cost, billed: billedBefore, ...counts } = before;
  expect(await readSums()).toEqual({
    ...counts,
    cost: String(BigInt(String(cost)) + difference),
    billed: String(BigInt(String(billedBefore)) + billed),
  });
  expect(await notesOf()).toEqual([
    expect.objectContaining({ id: result.rerateId, amountPico: -billed, note: 'a misprint', atMs: expect.any(Number) as number }),
  ]);
  const after = await bench.rows("SELECT version::int FROM spend_month WHERE scope = 'organization' AND scope_id = $1", [organizationId]);
  expect(Number(after[0]?.['version'])).toBeGreaterThan(Number(revision[0]?.['version']));
  await bench.expectChecked();
  await bench.expectAllAgree(organizationId);
});

test('a request shows its event as it was, and then what corrected it', async () => {
  const event = make();
  await bench.use([event]);
  const { rerateId } = await bench.rerate(WRONG_TO_RIGHT);

  const events = await createGenerationReader(bench.pool).findEvents(organizationId, event.request_id);

  expect(events).toEqual([
    event,
    expect.objectContaining({
      ...{ event_id: `${event.event_id}:${rerateId}`, logical: false, units: NO_UNITS, price_version: 'right', hold_id: null },
      cost_p: String(sum(rightOf([event])) - sum([event])),
      corrects: expect.objectContaining({
        event_id: event.event_id,
        rerate_id: rerateId,
        number: 1,
        at: NOW,
        because: 'a misprint',
      }) as object,
    }),
  ]);
});

test('lists of requests, parts of hours and exports show what it costs by now, and as many attempts as there were', async () => {
  const event = make({ extra: { team: 'a' } });
  await bench.use([event, make({ request_id: event.request_id, attempt_no: 2, logical: false, units: NO_UNITS, cost_p: '0' })]);
  await bench.rerate(WRONG_TO_RIGHT);
  const right = sum(rightOf([event]));

  const { lines } = await createGenerationReader(bench.pool).listGenerations(parseGenerationQuery({}, { organizationId, own: null }));
  expect(lines).toMatchObject([{ attempts: 2, costPico: right, billedPico: right }]);

  const question = { organizationId, resolution: 'hour' as const, groupBy: ['extra.team'], endMs: HOUR + HOUR_MS };
  for (const startMs of [HOUR, HOUR - 60_000]) {
    const { usage } = await bench.store.readUsage({ ...question, startMs });
    expect(Object.values(usage).map(({ spend }) => spend)).toEqual([formatUsd(right)]);
  }
});

test('a second time finds nothing, and usage that came late is found then', async () => {
  await bench.use([make()]);
  await bench.rerate(WRONG_TO_RIGHT);
  const once = await bench.snapshot(organizationId);

  expect((await bench.rerate(WRONG_TO_RIGHT)).organizations).toMatchObject([{ state: 'done', corrected: 0 }]);
  expect(await bench.snapshot(organizationId)).toEqual(once);

  await bench.use([make()]);
  expect((await bench.rerate(WRONG_TO_RIGHT)).organizations).toMatchObject([{ corrected: 1 }]);
  expect(bench.notes.map(({ corrected }) => corrected)).toEqual([1, 1]);
  await bench.expectAllAgree(organizationId);
});

test('what was re-rated is re-rated again, and back to where it was', async () => {
  // Of the second, the third price says the same as the right one.
  const events = [make(), make({ units: { ...NO_UNITS, in: 40 } })];
  await bench.use(events);
  const before = await readSums();
  await bench.rerate(WRONG_TO_RIGHT);
  await bench.rerate(['right', 'third']);
  const third = events.map((event) => priceBy('third', event));
  expect(await readSums()).toMatchObject({ cost: String(sum(third)), billed: String(sum(third)) });
  await bench.expectAllAgree(organizationId);

  expect((await bench.rerate(['third', 'wrong'])).organizations).toMatchObject([{ corrected: 2 }]);
  expect(await readSums()).toEqual(before);
  expect((await notesOf()).length).toBe(3);
  await bench.expectAllAgree(organizationId);
});

test('a death in the middle of it, wherever it is, and again: the same as without', async () => {
  const other = await bench.createOrganization();
  const events = Array.from({ length: 600 }, (_, at) =>
    make({ admitted_at: HOUR - (at % 40) * HOUR_MS, units: { ...NO_UNITS, in: at, out: 1 } }),
  );
  await bench.use(events);
  await bench.use(events.map(({ admitted_at, units }) => make({ org_id: other, admitted_at, units })));
  const die = (hit: number) => {
    let hits = 0;
    return () => {
      hits += 1;
      if (hits === hit) throw new Error('killed');
    };
  };

  // Two pages of each organization: each of them dies once before it is committed.
  for (const hit of [1, 2, 2, 2]) await expect(bench.rerate(WRONG_TO_RIGHT, { failPoint: die(hit) })).rejects.toThrow('killed');
  const result = await bench.rerate(WRONG_TO_RIGHT, { because: 'said again' });

  expect(result).toMatchObject({ isResumed: true, because: 'a misprint' });
  expect(result.organizations.map(({ corrected, leftOver, state }) => [corrected, leftOver, state])).toEqual([
    [600, 0, 'done'],
    [600, 0, 'done'],
  ]);
  expect(await bench.rows('SELECT state FROM rerate')).toEqual([{ state: 'done' }]);
  expect(bench.notes.length).toBe(2);
  const right = sum(rightOf(events));
  for (const id of [organizationId, other]) {
    expect(await bench.rows('SELECT sum(cost_pico)::text AS cost FROM usage_month WHERE org_id = $1', [id])).toEqual([
      { cost: String(right) },
    ]);
    await bench.expectAllAgree(id);
  }
  expect((await notesOf()).length).toBe(1);
}, 60_000);

test('two at once, and usage that is counted meanwhile, correct each event once', async () => {
  await bench.use(Array.from({ length: 300 }, () => make()));
  const counting = bench.use(Array.from({ length: 50 }, () => make({}, 'right')));
  const both = await Promise.all([bench.rerate(WRONG_TO_RIGHT), bench.rerate(WRONG_TO_RIGHT)]);
  await counting;
  const corrections = await bench.rows("SELECT count(*)::int AS count FROM usage_event WHERE payload -> 'corrects' IS NOT NULL");
  expect(corrections).toEqual([{ count: 300 }]);
  expect(both.flatMap(({ organizations }) => organizations).some(({ corrected }) => corrected === 300)).toBe(true);
  expect(await readSums()).toMatchObject({ cost: String(350n * sum(rightOf([make()]))), requests: 350, attempts: 350 });
  await bench.expectAllAgree(organizationId);
});

describe('whose money it is', () => {
  test('a debit note that takes a prepaid balance below zero is refused as a whole, unless it is allowed', async () => {
    const events = [make({}, 'right'), make({}, 'right')];
    await give('top_up', sum(events) + 1n);
    await bench.use(events);
    const before = await bench.snapshot(organizationId);
    const dry = await bench.rerate(['right', 'wrong'], { isDryRun: true });
    expect(dry).toMatchObject({ rerateId: null, organizations: [{ state: 'would_refuse', corrected: 2 }] });

    const refused = await bench.rerate(['right', 'wrong']);
    expect(refused.organizations).toMatchObject([{ state: 'refused', corrected: 0 }]);
    expect(await bench.snapshot(organizationId)).toEqual(before);

    await bench.rerate(['right', 'wrong'], { allowsDebt: true });
    const owed = sum([make(), make()]) - sum(events);
    expect((await readBalance(bench.pool, organizationId)).cashPico).toBe(1n - owed);
    expect(await notesOf()).toMatchObject([{ amountPico: -owed }]);
    await bench.expectAllAgree(organizationId);
  });

  test('an organization without a balance owes more: there is nothing to be refused', async () => {
    await bench.use([make({}, 'right')]);
    expect((await bench.rerate(['right', 'wrong'])).organizations).toMatchObject([{ state: 'done' }]);
    expect((await readBalance(bench.pool, organizationId)).cashPico).toBe(-sum([make()]));
    await bench.expectAllAgree(organizationId);
  });

  test('money goes back where it came from, last paid first; what has ended since comes back as cash', async () => {
    const cost = sum([make()]);
    const difference = cost - sum(rightOf([make()]));
    await give('gift', cost - 1_000n);
    await give('promotion', 400n, { expiresAtMs: NOW - 1 });
    await give('top_up', USD);
    await bench.use([make()]);
    await bench.rerate(WRONG_TO_RIGHT);

    // 600 of cash, 400 of a promotion that has ended, the rest of the gift.
    const balance = await readBalance(bench.pool, organizationId);
    expect(balance).toMatchObject({ giftPico: difference - 1_000n, promotionPico: 0n, cashPico: USD - 600n + 1_000n });
    await bench.expectAllAgree(organizationId);

    // The way back takes the same again: gift, then cash.
    await bench.rerate(['right', 'wrong']);
    expect(await readBalance(bench.pool, organizationId)).toMatchObject({ giftPico: 0n, cashPico: USD - 600n });
    await bench.expectAllAgree(organizationId);
  });

  test('usage from before the balance began never touches it', async () => {
    await bench.use([make({ admitted_at: HOUR - 20 * HOUR_MS })]);
    await give('top_up', USD, { atMs: HOUR - 10 * HOUR_MS });
    await bench.rerate(WRONG_TO_RIGHT);
    const right = sum(rightOf([make()]));
    expect(await readBalance(bench.pool, organizationId)).toMatchObject({ cashPico: USD, outsidePico: right, usagePico: right });
    expect(await notesOf()).toMatchObject([{ amountPico: 0n }]);
    await bench.expectAllAgree(organizationId);
  });
});

test('limits whose window runs have it back, and counters see a newer version of all they start from', async () => {
  const limit = (measure: 'usd' | 'requests') =>
    nameLimitScope({ limitId: randomUUID(), measure, partition: '-', window: 'day', startMs: Date.UTC(2026, 7, 7) });
  const keyId = randomUUID();
  const scopes = ['balance', `key:${keyId}:2026-08`, limit('usd'), limit('requests')];
  await give('top_up', USD);
  await bench.use([make({ api_key_id: keyId, hold_scopes: scopes })]);
  const read = async () => {
    const bases = await createHoldTruth(bench.pool).readBases(organizationId, scopes);
    return scopes.map((scope) => bases.find((base) => base.scope === scope));
  };
  const before = await read();
  await bench.rerate(WRONG_TO_RIGHT);
  const after = await read();
  const right = sum(rightOf([make()]));

  expect(after.map((base) => base?.base)).toEqual([right, right, right, 1n]);
  const isNewer = after.map((base, at) => (base?.version ?? 0n) > (before[at]?.version ?? 0n));
  expect(isNewer).toEqual([true, true, true, false]);
  await bench.expectAllAgree(organizationId);
});

test('what cannot be priced again is named and left, and a dry run only says what would be', async () => {
  const [odd, nothing] = [make({ cost_p: '7' }), make({ units: NO_UNITS, cost_p: '0' })];
  await bench.use([make(), odd, nothing]);
  const before = await bench.snapshot(organizationId);
  const left = [{ eventId: odd.event_id, organizationId, why: 'not_itemized' }];
  const difference = sum(rightOf([make()])) - sum([make()]);

  const dry = await bench.rerate(WRONG_TO_RIGHT, { isDryRun: true });
  expect(dry).toEqual({
    ...{ rerateId: null, isResumed: false, because: 'a misprint', left },
    organizations: [{ organizationId, state: 'would_correct', corrected: 1, leftOver: 1, costPico: difference, billedPico: difference }],
  });
  expect(await bench.snapshot(organizationId)).toEqual(before);
  expect(await bench.rows('SELECT id FROM rerate')).toEqual([]);

  expect(await bench.rerate(WRONG_TO_RIGHT)).toMatchObject({ left, organizations: [{ corrected: 1, leftOver: 1, costPico: difference }] });
});

test('is asked of one organization or provider alone', async () => {
  await bench.use([make(), make({ provider_used: 'elsewhere' })]);
  const none = await bench.rerate(WRONG_TO_RIGHT, { only: { organizationId: randomUUID() } });
  expect(none).toMatchObject({ rerateId: null, organizations: [] });
  expect((await bench.rerate(WRONG_TO_RIGHT, { only: { providerUsed: 'elsewhere' } })).organizations).toMatchObject([{ corrected: 1 }]);
});

// The last: it drops what the others use.
test('is refused where events are no longer kept', async () => {
  await keepPartitions({ pool: bench.pool, now: () => Date.now() + 60 * DAY_MS });
  await expect(bench.rerate(WRONG_TO_RIGHT)).rejects.toMatchObject({ code: 'invalid_request' });
});
