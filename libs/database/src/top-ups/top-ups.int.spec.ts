import { randomUUID } from 'node:crypto';
import type { PaymentProvider, PaymentResult, TopUpCharge } from '@weir/limits';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { SILENT_LOG } from '../postgres/database-log';
import { postCredit } from '../ledger/post-credit';
import { readBalance } from '../ledger/read-balance';
import { runTopUps, type TopUpOutcome } from './run-top-ups';

const NOW = Date.UTC(2026, 10, 21, 12);
const USD = 1_000_000_000_000n;

let server: TestDatabase;
let organizationId: string;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.database.prisma.autoTopUp.deleteMany();
  organizationId = (await server.database.prisma.organization.create({ data: { name: 'Example' } })).id;
  await server.database.prisma.autoTopUp.create({
    data: { organizationId, isEnabled: true, thresholdPico: 5e12, amountPico: 20e12, monthlyCapPico: 50e12 },
  });
});

/** Remembers every call; a charge is made once per id, whatever the provider returns. */
function createBank(
  answer: (charge: TopUpCharge) => Promise<PaymentResult> = ({ id }) => Promise.resolve({ kind: 'paid', reference: id }),
) {
  const calls: TopUpCharge[] = [];
  const bank: PaymentProvider = {
    charge: (charge) => {
      calls.push(charge);
      return answer(charge);
    },
  };
  return { bank, calls };
}

async function run(payments: PaymentProvider, atMs = NOW): Promise<TopUpOutcome | undefined> {
  return (await runTopUps({ pool: server.database.pool, payments, now: () => atMs, log: SILENT_LOG })).get(organizationId);
}

const total = async (): Promise<bigint> => (await readBalance(server.database.pool, organizationId)).totalPico;
const spend = (usd: bigint): Promise<unknown> =>
  postCredit(server.database.pool, { organizationId, kind: 'adjustment', amountPico: -usd * USD, idempotencyKey: String(Math.random()) });

describe('automatic top-ups', () => {
  test('a low balance is charged for once and is then enough', async () => {
    const { bank, calls } = createBank();
    expect(await run(bank)).toBe('paid');
    expect(await run(bank)).toBeUndefined();
    expect(calls).toEqual([{ id: expect.any(String), organizationId, amountPico: 20n * USD }]);
    expect(await total()).toBe(20n * USD);
    expect(await server.database.prisma.organization.findUniqueOrThrow({ where: { id: organizationId } })).toMatchObject({
      tier: 'paying',
    });
  });

  test('many processes at once charge once', async () => {
    const { bank, calls } = createBank(async ({ id }) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { kind: 'paid', reference: id };
    });
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => run(bank)));
    expect(outcomes.filter((outcome) => outcome === 'paid')).toHaveLength(1);
    expect(calls).toHaveLength(1);
    expect(await total()).toBe(20n * USD);
  });

  test('the month’s cap holds, and another month begins anew', async () => {
    const { bank } = createBank();
    const outcomes = [];
    for (const atMs of [NOW, NOW, NOW, NOW + 3_599_999, NOW + 3_600_000]) {
      outcomes.push(await run(bank, atMs));
      await spend(20n);
    }
    expect(outcomes).toEqual(['paid', 'paid', 'capped', undefined, 'capped']);
    const december = Date.UTC(2026, 11, 1);
    expect([await run(bank, december - 1), await run(bank, december)]).toEqual(['capped', 'paid']);
  });

  test('organizations that may not be charged any more this month keep no others waiting', async () => {
    const { prisma } = server.database;
    const ids = Array.from({ length: 120 }, () => randomUUID());
    await prisma.organization.createMany({ data: ids.map((id) => ({ id, name: 'At its cap' })) });
    const settings = { isEnabled: true, thresholdPico: 5e12, amountPico: 20e12, monthlyCapPico: 20e12 };
    const charge = { amountPico: 20e12, status: 'paid', createdAt: new Date(NOW) };
    await prisma.topUpCharge.createMany({ data: ids.map((id) => ({ id: randomUUID(), organizationId: id, ...charge })) });
    await prisma.autoTopUp.deleteMany({ where: { organizationId } });
    await prisma.autoTopUp.createMany({ data: [...ids, organizationId].map((id) => ({ organizationId: id, ...settings })) });
    const { bank } = createBank();
    expect([await run(bank), await run(bank)]).toContain('paid');
  });

  test('requests a charge without an outcome again under its id, after a while, and credits it once', async () => {
    let isDown = true;
    const { bank, calls } = createBank(({ id }) =>
      isDown ? Promise.reject(new Error('timeout')) : Promise.resolve({ kind: 'paid', reference: id }),
    );
    expect(await run(bank)).toBe('unanswered');
    expect(await run(bank, NOW + 59_000)).toBeUndefined();
    expect(await run(bank, NOW + 60_000)).toBe('unanswered');
    isDown = false;
    await postCredit(server.database.pool, { organizationId, kind: 'gift', amountPico: 100n * USD, idempotencyKey: 'gift' });
    expect(await run(bank, NOW + 60_000 + 240_000)).toBe('paid'); // enough by now, but the money may have been taken
    expect(new Set(calls.map(({ id }) => id)).size).toBe(1);
    expect(await total()).toBe(120n * USD);
  });

  test('a declined charge backs off, is not counted against the cap, and the next is another charge', async () => {
    const { bank, calls } = createBank(() => Promise.resolve({ kind: 'declined', reason: 'no funds' }));
    expect(await run(bank)).toBe('declined');
    expect(await run(bank, NOW + 59_000)).toBeUndefined();
    expect(await run(bank, NOW + 60_000)).toBe('declined');
    expect(await run(bank, NOW + 60_000 + 239_000)).toBeUndefined();
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(await total()).toBe(0n);
    expect(await run(createBank().bank, NOW + 60_000 + 240_000)).toBe('paid');
    const charges = await server.database.prisma.topUpCharge.findMany({ where: { organizationId }, orderBy: { createdAt: 'asc' } });
    expect(charges.map(({ status, reference }) => [status, reference])).toEqual([
      ['declined', 'no funds'],
      ['declined', 'no funds'],
      ['paid', charges[2]?.id],
    ]);
  });

  test('charges no organization that did not switch top-ups on', async () => {
    const { bank, calls } = createBank();
    await server.database.prisma.autoTopUp.update({ where: { organizationId }, data: { isEnabled: false } });
    expect(await run(bank)).toBeUndefined();
    expect(calls).toEqual([]);
  });
});
