import { randomUUID } from 'node:crypto';
import { BALANCE_SCOPE, createMemoryHoldStore, planLimits } from '@weir/limits';
import { makeUsageEvent, sequenceEvents } from '@weir/testing';
import { HOUR_MS, type UsageStore } from '@weir/usage';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { createHoldTruth } from '../limits/create-hold-truth';
import { createKeyDirectory } from '../keys/create-key-directory';
import { createOrganizationDirectory } from '../organizations/create-organization-directory';
import { createUsageStore } from '../usage/create-usage-store';
import { readReconciliation } from '../usage/reconcile/read-reconciliation';
import { postCredit, type Credit } from './post-credit';
import { readBalance } from './read-balance';
import { readBalanceHistory } from './read-balance-history';
import { verifyLedger } from './verify-ledger';

const NOW = Date.UTC(2026, 7, 7, 13);
const CREDITED = NOW + 20 * 60_000;
const CENT = 10_000_000_000n;

let server: TestDatabase;
let store: UsageStore;
let organizationId: string;
let digest: Buffer;
beforeAll(async () => {
  server = await startTestDatabase();
  store = createUsageStore({ pool: server.database.pool, now: () => NOW + HOUR_MS });
});
afterAll(() => server.stop());
beforeEach(async () => {
  const { prisma } = server.database;
  organizationId = (await prisma.organization.create({ data: { name: 'Example' } })).id;
  digest = Buffer.from(randomUUID().replaceAll('-', ''));
  await prisma.apiKey.create({ data: { organizationId, name: 'k', hash: new Uint8Array(digest), prefix: 'p', last4: 'l' } });
});

const post = (cents: bigint, more: Partial<Credit> = {}): Promise<unknown> =>
  postCredit(server.database.pool, {
    ...{ organizationId, kind: 'top_up', amountPico: cents * CENT, idempotencyKey: randomUUID(), atMs: CREDITED },
    ...more,
  });

const eventOf = (cents: bigint, admitted_at: number) =>
  makeUsageEvent({ org_id: organizationId, admitted_at, cost_p: String(cents * CENT), billed_p: String(cents * CENT) });

async function use(...used: readonly (readonly [cents: bigint, admittedAtMs: number])[]): Promise<void> {
  const events = used.map(([cents, atMs]) => eventOf(cents, atMs));
  expect(await store.applyBatch(sequenceEvents(randomUUID(), events), null)).toMatchObject({ applied: used.length });
}

/** In cents: what is left by the ledger, what the balance does not count, and what a limit lets a request use. */
async function readMoney(): Promise<{ cash: bigint; outside: bigint; total: bigint; allowed: bigint | null }> {
  const { pool } = server.database;
  const { cashPico, outsidePico, totalPico } = await readBalance(pool, organizationId);
  const key = await createKeyDirectory(pool).findByDigest(digest);
  if (key === undefined) throw new Error('there is no key');
  const [limit] = planLimits(key, { atMs: NOW, isBilled: true }, { isBalanceRequired: false });
  const [base] = limit === undefined ? [] : await createHoldTruth(pool).readBases(organizationId, [limit.scope]);
  const allowed = limit === undefined || base === undefined ? null : ((limit.max ?? 0n) - base.base) / CENT;
  return { cash: cashPico / CENT, outside: outsidePico / CENT, total: totalPico / CENT, allowed };
}

/** Events, rollups and ledger tie out, and the ledger is sound. */
async function expectTiedOut(): Promise<void> {
  const { differences } = await readReconciliation(server.database, { organizationId, monthMs: Date.UTC(2026, 7, 1) });
  expect(differences).toEqual([]);
  expect(await verifyLedger(server.database.pool, organizationId)).toEqual([]);
}

describe('the first credit of an organization', () => {
  it('opens a balance that does not count what was used before', async () => {
    await use([43n, NOW]);
    expect(await readMoney()).toEqual({ cash: -43n, outside: 0n, total: -43n, allowed: null });

    await post(50n);

    expect(await readMoney()).toEqual({ cash: 50n, outside: 43n, total: 50n, allowed: 50n });
    const { lines } = await readBalanceHistory(server.database.pool, { organizationId, limit: 10 });
    expect(lines.map(({ kind, amountPico }) => `${kind} ${amountPico / CENT}`).sort()).toEqual(['opening 43', 'top_up 50', 'usage -43']);
    expect(await createOrganizationDirectory(server.database.pool).readFinance(organizationId)).toMatchObject({
      ...{ cashPico: 50n * CENT, countedFromMs: CREDITED, uncountedPico: 43n * CENT },
    });
    await expectTiedOut();
  });

  it.each(['gift', 'promotion'] as const)('may be a %s', async (kind) => {
    await use([43n, NOW]);

    await post(50n, { kind });

    expect(await readMoney()).toEqual({ cash: 0n, outside: 43n, total: 50n, allowed: 50n });
    await expectTiedOut();
  });

  it('opens no second balance, and shows nothing of an opening before which nothing was used', async () => {
    await post(50n);
    await use([60n, CREDITED]);
    await post(5n);

    expect(await readMoney()).toEqual({ cash: -5n, outside: 0n, total: -5n, allowed: -5n });
    const { lines } = await readBalanceHistory(server.database.pool, { organizationId, limit: 10 });
    expect(lines.map(({ kind }) => kind).sort()).toEqual(['top_up', 'top_up', 'usage']);
    await expectTiedOut();
  });

  it('leaves what was used before as a debt where organizations must have a balance', async () => {
    await use([43n, NOW]);

    await post(50n, { isBalanceRequired: true });
    await use([1n, NOW]);

    expect(await readMoney()).toEqual({ cash: 6n, outside: 0n, total: 6n, allowed: 6n });
    expect(await createOrganizationDirectory(server.database.pool).readFinance(organizationId)).toMatchObject({ countedFromMs: null });
    await expectTiedOut();
  });

  it('repeated under its idempotency key changes nothing', async () => {
    await use([43n, NOW]);
    await Promise.all(Array.from({ length: 8 }, () => post(50n, { idempotencyKey: 'invoice' })));

    expect(await readMoney()).toMatchObject({ cash: 50n, outside: 43n, allowed: 50n });
    await expectTiedOut();
  });
});

describe('requests that run while the first credit comes', () => {
  it('are counted by the moment of their admission, also within one hour and one batch', async () => {
    await use([3n, NOW]);
    await post(50n);

    await use([4n, CREDITED - 1], [5n, CREDITED], [6n, CREDITED + HOUR_MS]);

    expect(await readMoney()).toEqual({ cash: 39n, outside: 7n, total: 39n, allowed: 39n });
    await use([1n, CREDITED + 1]);
    expect((await readMoney()).allowed).toBe(38n);
    await expectTiedOut();
  });

  it('give nothing to spend beside the credit while a counter still stands where it was before they ended', async () => {
    const { pool } = server.database;
    const truth = createHoldTruth(pool);
    const holds = createMemoryHoldStore({ now: () => NOW });
    const ask = async (cents: bigint) => {
      const key = await createKeyDirectory(pool).findByDigest(digest);
      const limits = key === undefined ? [] : planLimits(key, { atMs: CREDITED, isBilled: true }, { isBalanceRequired: false });
      const amounts = limits.map(() => cents * CENT);
      return holds.reserve({ organizationId, holdId: randomUUID(), amounts, leasts: amounts, ttlMs: HOUR_MS, limits });
    };
    await use([3n, NOW]);
    await post(10n);
    await holds.seed(organizationId, await truth.readBases(organizationId, [BALANCE_SCOPE]));
    expect(await ask(1n)).toEqual({ kind: 'held', amounts: [CENT] });

    await use([50n, CREDITED - 1]);

    expect(await ask(10n)).toEqual({ kind: 'refused', scope: BALANCE_SCOPE, remaining: 9n * CENT });
    await holds.seed(organizationId, await truth.readBases(organizationId, [BALANCE_SCOPE]));
    expect(await ask(10n)).toEqual({ kind: 'refused', scope: BALANCE_SCOPE, remaining: 9n * CENT });
    await expectTiedOut();
  });

  it('lower a counter that was begun before the credit, and show what is owed as less than nothing left', async () => {
    const { pool } = server.database;
    const truth = createHoldTruth(pool);
    const holds = createMemoryHoldStore({ now: () => NOW });
    const bring = async () => holds.seed(organizationId, await truth.readBases(organizationId, [BALANCE_SCOPE]));
    const left = async () => {
      const limits = [{ scope: BALANCE_SCOPE, max: 10n * CENT }];
      const ask = { organizationId, holdId: randomUUID(), amounts: [99n * CENT], leasts: [99n * CENT], ttlMs: HOUR_MS, limits };
      const answer = await holds.reserve(ask);
      return answer.kind === 'refused' ? answer.remaining / CENT : null;
    };
    await use([43n, NOW]);
    await bring();
    expect(await left()).toBe(-33n);

    await post(10n);
    await bring();
    expect(await left()).toBe(10n);

    await use([14n, CREDITED]);
    await bring();
    expect(await left()).toBe(-4n);
  });

  it('never become a debt, however many batches are counted at that moment', async () => {
    const { pool } = server.database;
    const stores = [1, 2, 3, 4].map(() => createUsageStore({ pool, now: () => NOW + HOUR_MS }));
    const batches = Array.from({ length: 40 }, (_, at) =>
      stores[at % 4]?.applyBatch(sequenceEvents(randomUUID(), [eventOf(2n, NOW)]), null),
    );
    await Promise.all([...batches.slice(0, 20), post(500n), ...batches.slice(20)]);
    await use([40n, CREDITED]);

    expect(await readMoney()).toEqual({ cash: 460n, outside: 80n, total: 460n, allowed: 460n });
    await expectTiedOut();
  });
});
