import { randomUUID } from 'node:crypto';
import { makeUsageEvent, sequenceEvents } from '@weir/testing';
import { HOUR_MS, type UsageStore } from '@weir/usage';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { createUsageStore } from '../usage/create-usage-store';
import { expireCredits } from './expire-credits';
import { postCredit, type Credit, type PostedCredit } from './post-credit';
import { readBalance } from './read-balance';
import { readBalanceHistory } from './read-balance-history';

const NOW = Date.UTC(2026, 7, 7, 13);
const USD = 1_000_000_000_000n;
/** Before all usage, which therefore counts in the balance. */
const CREDITED = NOW - 24 * HOUR_MS;

let server: TestDatabase;
let store: UsageStore;
let organizationId: string;
beforeAll(async () => {
  server = await startTestDatabase();
  store = createUsageStore({ pool: server.database.pool, now: () => NOW });
});
afterAll(() => server.stop());
beforeEach(async () => {
  organizationId = (await server.database.prisma.organization.create({ data: { name: 'Example' } })).id;
});

const post = (more: Partial<Credit>): Promise<PostedCredit> =>
  postCredit(server.database.pool, {
    organizationId,
    kind: 'top_up',
    amountPico: 10n * USD,
    idempotencyKey: randomUUID(),
    atMs: CREDITED,
    ...more,
  });

async function use(pico: bigint, admitted_at = NOW): Promise<void> {
  const event = makeUsageEvent({ org_id: organizationId, admitted_at, cost_p: String(pico), billed_p: String(pico) });
  expect(await store.applyBatch(sequenceEvents(randomUUID(), [event]), null)).toMatchObject({ applied: 1 });
}

async function balance(): Promise<{ gift: bigint; promotion: bigint; cash: bigint; usage: bigint }> {
  const read = await readBalance(server.database.pool, organizationId);
  expect(read.totalPico).toBe(read.giftPico + read.promotionPico + read.cashPico);
  return { gift: read.giftPico, promotion: read.promotionPico, cash: read.cashPico, usage: read.usagePico };
}

/** Every account is the sum of its entries, all entries sum to zero, and credits hold what their accounts hold. */
async function expectSoundLedger(): Promise<void> {
  const { rows } = await server.database.pool.query<Record<string, boolean>>(`SELECT
    (SELECT coalesce(sum(amount), 0) = 0 FROM ledger_entry) AS zero,
    (SELECT bool_and(a.balance = (SELECT sum(e.amount) FROM ledger_entry e WHERE e.account_id = a.id)) FROM ledger_account a) AS kept,
    (SELECT bool_and(a.balance = (SELECT coalesce(sum(c.remaining), 0) FROM ledger_credit c WHERE c.org_id = a.org_id AND c.kind = a.kind))
      FROM ledger_account a WHERE a.kind IN ('gift', 'promo')) IS NOT FALSE AS lots`);
  expect(rows).toEqual([{ zero: true, kept: true, lots: true }]);
}

describe('posting credits', () => {
  test('every kind moves its own account, exactly, and the entries balance', async () => {
    await post({ kind: 'top_up', amountPico: 10n * USD + 1n });
    await post({ kind: 'promotion', amountPico: 3n });
    await post({ kind: 'gift', amountPico: 5n * USD });
    await post({ kind: 'refund', amountPico: 4n * USD });
    const { balance: reported } = await post({ kind: 'adjustment', amountPico: -1n });
    expect(await balance()).toEqual({ gift: 5n * USD, promotion: 3n, cash: 6n * USD, usage: 0n });
    expect(reported.totalPico).toBe(11n * USD + 3n);
    await expectSoundLedger();
  });

  test('returns the first posting for the same key and content, many at once too; another content is a conflict', async () => {
    const credit = { idempotencyKey: 'invoice-7', note: 'Invoice 7', kind: 'gift', expiresAtMs: NOW + HOUR_MS } as const;
    const results = await Promise.all(Array.from({ length: 16 }, () => post(credit)));
    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(results.map(({ transactionId }) => transactionId)).size).toBe(1);
    expect((await balance()).gift).toBe(10n * USD);
    for (const other of [{ amountPico: 1n }, { kind: 'promotion' }, { note: null }, { expiresAtMs: null }] as const) {
      await expect(post({ ...credit, ...other })).rejects.toMatchObject({ code: 'conflict' });
    }
    expect((await balance()).gift).toBe(10n * USD);
  });

  test('a key belongs to its organization', async () => {
    const other = await server.database.prisma.organization.create({ data: { name: 'Other' } });
    await post({ idempotencyKey: 'one' });
    expect(await post({ idempotencyKey: 'one', organizationId: other.id, amountPico: 1n })).toMatchObject({ isNew: true });
  });

  test.each([
    ['amount', { amountPico: 0n }],
    ['amount', { amountPico: -1n }],
    ['amount', { amountPico: 10n ** 25n }],
    ['idempotency_key', { idempotencyKey: '' }],
    ['expires_at', { expiresAtMs: NOW }],
    ['note', { note: 'x'.repeat(1001) }],
  ] as const)('what cannot be posted is refused by its field: %s', async (field, more) => {
    await expect(post(more)).rejects.toMatchObject({ code: 'invalid_request', details: { field } });
  });

  test('an unknown organization is not found, and no more than the cash there is can be refunded', async () => {
    await expect(post({ organizationId: randomUUID() })).rejects.toMatchObject({ code: 'not_found' });
    await post({ amountPico: 2n * USD });
    await post({ kind: 'gift', amountPico: 50n * USD });
    const refunds = await Promise.allSettled(Array.from({ length: 4 }, () => post({ kind: 'refund', amountPico: USD })));
    expect(refunds.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect((await balance()).cash).toBe(0n);
  });

  test('the first top-up makes an organization paying for good, and caches are informed', async () => {
    const tier = async () => (await server.database.prisma.organization.findUniqueOrThrow({ where: { id: organizationId } })).tier;
    const changes = () => server.database.prisma.configChange.count({ where: { entityId: organizationId } });
    await post({ kind: 'gift' });
    expect([await tier(), await changes()]).toEqual(['free', 1]);
    await post({ amountPico: 1n });
    await post({ kind: 'refund', amountPico: 1n });
    expect([await tier(), await changes()]).toEqual(['paying', 3]);
  });
});

describe('using the balance up', () => {
  test('gifts first, then promotions, then cash, which may go below zero', async () => {
    await post({ kind: 'top_up', amountPico: 3n });
    await post({ kind: 'promotion', amountPico: 10n });
    await post({ kind: 'gift', amountPico: 5n });
    await use(4n);
    expect(await balance()).toEqual({ gift: 1n, promotion: 10n, cash: 3n, usage: 4n });
    await use(5n);
    expect(await balance()).toEqual({ gift: 0n, promotion: 6n, cash: 3n, usage: 9n });
    await use(20n);
    expect(await balance()).toEqual({ gift: 0n, promotion: 0n, cash: -11n, usage: 29n });
    await expectSoundLedger();
  });

  test('of one kind, what expires soonest goes first; what had expired pays for nothing later', async () => {
    await post({ kind: 'promotion', amountPico: 10n, expiresAtMs: null });
    await post({ kind: 'promotion', amountPico: 10n, expiresAtMs: NOW + HOUR_MS });
    await post({ kind: 'promotion', amountPico: 10n, expiresAtMs: NOW - HOUR_MS });
    await use(15n);
    const remaining = await server.database.prisma.ledgerCredit.findMany({ where: { organizationId }, orderBy: { expiresAt: 'asc' } });
    expect(remaining.map((row) => Number(row.remaining) * 1e12)).toEqual([10, 0, 5]);
    await expectSoundLedger();
  });

  test('batches of many processes at once and new gifts between them leave no picodollar unaccounted', async () => {
    await post({ kind: 'gift', amountPico: 100n });
    await post({ kind: 'promotion', amountPico: 200n });
    const stores = [1, 2, 3, 4].map(() => createUsageStore({ pool: server.database.pool, now: () => NOW }));
    const event = () => makeUsageEvent({ org_id: organizationId, admitted_at: NOW, cost_p: '7', billed_p: '7' });
    await Promise.all([
      ...Array.from({ length: 60 }, (_, at) => stores[at % 4]!.applyBatch(sequenceEvents(randomUUID(), [event()]), null)),
      ...Array.from({ length: 5 }, () => post({ kind: 'gift', amountPico: 10n })),
    ]);
    const { gift, promotion, cash, usage } = await balance();
    expect(usage).toBe(420n);
    expect(gift + promotion + cash).toBe(350n - 420n);
    await expectSoundLedger();
  }, 30_000);
});

describe('expiry', () => {
  test('takes back what is left, once, however many sweep at once', async () => {
    await expireCredits(server.database.pool, NOW); // what other tests left
    await post({ kind: 'gift', amountPico: 10n, expiresAtMs: NOW });
    await post({ kind: 'promotion', amountPico: 10n, expiresAtMs: NOW + 1 });
    await use(4n, NOW - HOUR_MS);
    const sweeps = [1, 2, 3].map(() => expireCredits(server.database.pool, NOW));
    expect((await Promise.all(sweeps)).reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await balance()).toEqual({ gift: 0n, promotion: 10n, cash: 0n, usage: 4n });
    expect(await expireCredits(server.database.pool, NOW)).toBe(0);
    await expectSoundLedger();
  });
});

describe('history', () => {
  test('newest first, usage as one line an hour, page by page without gap or repeat', async () => {
    await post({ kind: 'gift', amountPico: 5n, note: 'Welcome' });
    for (const hour of [0, 1, 2]) {
      await use(2n, NOW - hour * HOUR_MS);
      await use(1n, NOW - hour * HOUR_MS + 1);
    }
    const { lines: all, next } = await readBalanceHistory(server.database.pool, { organizationId, limit: 10 });
    expect(next).toBeNull();
    expect(all.map(({ kind, amountPico, note }) => ({ kind, amountPico, note }))).toEqual([
      { kind: 'usage', amountPico: -3n, note: null },
      { kind: 'usage', amountPico: -3n, note: null },
      { kind: 'usage', amountPico: -3n, note: null },
      { kind: 'gift', amountPico: 5n, note: 'Welcome' },
    ]);
    const paged = [];
    let cursor: string | null | undefined;
    do {
      const page = await readBalanceHistory(server.database.pool, { organizationId, limit: 1, ...(cursor ? { cursor } : {}) });
      expect(page.lines).toHaveLength(1);
      paged.push(...page.lines);
      cursor = page.next;
    } while (cursor !== null);
    expect(paged).toEqual(all);
    await expect(readBalanceHistory(server.database.pool, { organizationId, limit: 1, cursor: 'x' })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { field: 'cursor' },
    });
  });
});
