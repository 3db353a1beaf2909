import { randomUUID } from 'node:crypto';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { postCredit } from '../ledger/post-credit';
import { makeAlertsFixture, USD, type AlertsFixture } from './__fixtures__/start-alerts';
import { fireAlerts } from './fire-alerts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 21, 12);
const NOVEMBER = new Date(Date.UTC(2026, 10, 1));

let server: TestDatabase;
let fixture: AlertsFixture;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());
beforeEach(async () => {
  fixture = await makeAlertsFixture(server);
});

/** Several processes that look at the same moment. */
async function fire(hours: number): Promise<number> {
  const found = await Promise.all(Array.from({ length: 4 }, () => fireAlerts(server.database.pool, NOW + hours * HOUR)));
  return found.reduce((sum, count) => sum + count, 0);
}
const setLimit = (usd: number | null) =>
  server.database.prisma.apiKey.update({ where: { id: fixture.keyId }, data: { monthlyLimitPico: usd === null ? null : usd * 1e12 } });

describe('repetition', () => {
  test('is counted on after so many hours while it holds, once however many look and however late', async () => {
    await fixture.addAlert({ percentage: 80, repeatHours: 6 });
    await fixture.setSpend(9n * USD, NOVEMBER);
    const fired = [];
    for (const hours of [0, 1, 5.99, 6, 6.5, 11.9, 12, 60, 60.1, 66]) fired.push(await fire(hours));
    expect(fired).toEqual([1, 0, 0, 1, 0, 0, 1, 1, 0, 1]);
    expect(await fixture.periods()).toEqual(['2026-11', '2026-11#1', '2026-11#2', '2026-11#3', '2026-11#4']);
    expect((await fixture.firings()).map(({ repetition }) => repetition)).toEqual([0, 1, 2, 3, 4]);
  });

  test('ends with the month, and while the limit allows more', async () => {
    await fixture.addAlert({ percentage: 80, repeatHours: 1 });
    await fixture.setSpend(9n * USD, NOVEMBER);
    expect(await fire(0)).toBe(1);
    await setLimit(100);
    expect(await fire(2)).toBe(0);
    await setLimit(10);
    expect(await fire(3)).toBe(1);
    expect(await fire(24 * 12)).toBe(0);
    expect(await fixture.periods()).toEqual(['2026-11', '2026-11#1']);
  });

  test('another pause is counted from the last notice', async () => {
    const id = await fixture.addAlert({ percentage: 80, repeatHours: 1 });
    await fixture.setSpend(9n * USD, NOVEMBER);
    for (const hours of [0, 1, 2, 3]) expect(await fire(hours)).toBe(1);
    await server.database.prisma.alert.update({ where: { id }, data: { repeatHours: 24 } });
    expect([await fire(4), await fire(26.9), await fire(27)]).toEqual([0, 0, 1]);
  });
});

describe('recovery', () => {
  test.each([
    ['the limit was raised', () => setLimit(20)],
    ['the limit was taken away', () => setLimit(null)],
  ])('is reported once when %s', async (_, change) => {
    await fixture.addAlert({ percentage: 80, notifyRecovery: true });
    await fixture.setSpend(9n * USD, NOVEMBER);
    expect([await fire(0), await fire(1)]).toEqual([1, 0]);
    await change();
    expect([await fire(2), await fire(3)]).toEqual([1, 0]);
    const [, recovered] = await fixture.firings();
    expect(recovered).toMatchObject({ kind: 'recovered', period: '2026-11#recovered', repetition: 0 });
    // The same month crosses again: what was reported once a month is not reported twice.
    await setLimit(10);
    expect(await fire(4)).toBe(0);
  });

  test('is reported when a month begins, of alerts that ask for it, and not of what is long past', async () => {
    await fixture.addAlert({ percentage: 80 });
    await fixture.addAlert({ percentage: 80, notifyRecovery: true });
    await fixture.setSpend(9n * USD, NOVEMBER);
    expect(await fire(0)).toBe(2);
    expect([await fire(24 * 10), await fire(24 * 11)]).toEqual([1, 0]);
    await server.database.prisma.alert.updateMany({ data: { notifyRecovery: true } });
    expect(await fire(24 * 60)).toBe(0);
  });

  test('follows each notice that was repeated, where it was crossed again after one', async () => {
    await fixture.addAlert({ percentage: 80, notifyRecovery: true, repeatHours: 2 });
    await fixture.setSpend(9n * USD, NOVEMBER);
    await fire(0);
    await fire(2);
    await setLimit(20);
    await fire(3);
    await setLimit(10);
    expect([await fire(3.5), await fire(4)]).toEqual([0, 1]);
    await setLimit(20);
    expect([await fire(5), await fire(6)]).toEqual([1, 0]);
    expect(await fixture.periods('2026-11')).toEqual(['', '#1', '#1#recovered', '#2', '#2#recovered']);
  });

  test('of a balance follows a credit that is enough', async () => {
    const credit = async (amountPico: bigint, kind: 'top_up' | 'adjustment' = 'top_up') => {
      await new Promise((resolve) => setTimeout(resolve, 2)); // each credit is of another millisecond
      await postCredit(server.database.pool, { organizationId: fixture.organizationId, kind, amountPico, idempotencyKey: randomUUID() });
    };
    await fixture.addAlert({ scope: 'balance', scopeId: '', amountPico: 5e12, notifyRecovery: true });
    await credit(10n * USD);
    expect(await fire(0)).toBe(0);
    await credit(-8n * USD, 'adjustment');
    expect([await fire(1), await fire(2)]).toEqual([1, 0]);
    await credit(1n * USD); // still low: a new credit, so a new notice, and nothing is over
    expect(await fire(3)).toBe(1);
    await credit(20n * USD);
    expect([await fire(4), await fire(5)]).toEqual([1, 0]);
    expect((await fixture.firings()).map(({ kind, valuePico }) => [kind, String(valuePico)])).toEqual([
      ['crossed', String(2n * USD)],
      ['crossed', String(3n * USD)],
      ['recovered', String(23n * USD)],
    ]);
  });
});
