import { nameLimitScope } from '@weir/limits';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { makeAlertsFixture, USD, type AlertsFixture } from './__fixtures__/start-alerts';
import { fireAlerts } from './fire-alerts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TODAY = Date.UTC(2026, 10, 21);
const NOON = TODAY + 12 * HOUR;

type Limit = {
  readonly measure: 'usd' | 'requests' | 'tokens';
  readonly window: 'minute' | 'day' | 'month' | '24h' | 'total';
  readonly amount: string;
};

let server: TestDatabase;
let fixture: AlertsFixture;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());
beforeEach(async () => {
  fixture = await makeAlertsFixture(server);
});

async function addLimit(limit: Limit): Promise<string> {
  const { organizationId } = fixture;
  const document = { scope: 'organization', action: 'alert', ...limit };
  return (await server.database.prisma.organizationRule.create({ data: { organizationId, kind: 'limit', name: 'Of the team', document } }))
    .id;
}

/** As the aggregator counts it. */
async function use(
  limitId: string,
  limit: Limit,
  used: bigint,
  { startMs = TODAY, partition = '-' }: { startMs?: number; partition?: string } = {},
): Promise<string> {
  const start = limit.window === 'total' ? null : startMs;
  const scope = nameLimitScope({ limitId, ...limit, partition, startMs: start });
  const key = { organizationId: fixture.organizationId, scope };
  const data = { limitId, used: String(used), version: 1n, windowStart: start === null ? null : new Date(start) };
  await server.database.prisma.limitUsage.upsert({ where: { organizationId_scope: key }, create: { ...key, ...data }, update: data });
  return scope;
}

async function fire(atMs = NOON): Promise<number> {
  const found = await Promise.all(Array.from({ length: 4 }, () => fireAlerts(server.database.pool, atMs)));
  return found.reduce((sum, count) => sum + count, 0);
}

const DAILY = { measure: 'tokens', window: 'day', amount: '1000' } as const;

describe('alerts about limits', () => {
  test('at a part of the limit, not below it, once a window, also where the limit only alerts', async () => {
    const limitId = await addLimit(DAILY);
    await fixture.addAlert({ scope: 'limit', scopeId: limitId, percentage: 80 });
    await use(limitId, DAILY, 799n);
    expect(await fire()).toBe(0);
    const scope = await use(limitId, DAILY, 850n);
    expect([await fire(), await fire()]).toEqual([1, 0]);
    const [firing] = await fixture.firings();
    expect(firing).toMatchObject({
      period: scope,
      details: {
        unit: 'tokens',
        limit: { name: 'Of the team', ...DAILY, partition: null, windowEnd: '2026-11-22T00:00:00.000Z' },
      },
    });
    expect([String(firing?.valuePico), String(firing?.thresholdPico)]).toEqual(['850', '800']);
    await use(limitId, DAILY, 900n, { startMs: TODAY + DAY });
    expect([await fire(), await fire(NOON + DAY)]).toEqual([0, 1]);
  });

  test('an amount in dollars, of a total that never begins anew', async () => {
    const total = { measure: 'usd', window: 'total', amount: '12.5' } as const;
    const limitId = await addLimit(total);
    await fixture.addAlert({ scope: 'limit', scopeId: limitId, amountPico: 10e12, settings: { unit: 'USD' } });
    await fixture.addAlert({ scope: 'limit', scopeId: limitId, amountPico: 1, settings: { unit: 'tokens' } });
    await fixture.addAlert({ scope: 'limit', scopeId: limitId, percentage: 100 });
    await use(limitId, total, 12n * USD);
    expect(await fire()).toBe(1);
    await use(limitId, total, 12_500_000_000_000n);
    expect([await fire(), await fire(NOON + 400 * DAY)]).toEqual([1, 0]);
    expect((await fixture.firings())[1]).toMatchObject({ details: { unit: 'USD', limit: { windowEnd: null, window: 'total' } } });
  });

  test('of each partition apart, the fullest first, a bounded number an hour, and none is lost', async () => {
    const limitId = await addLimit(DAILY);
    await fixture.addAlert({ scope: 'limit', scopeId: limitId, percentage: 50 });
    for (let number = 0; number < 70; number += 1) await use(limitId, DAILY, 500n + BigInt(number), { partition: `user-${number}` });
    expect([await fire(), await fire(NOON + 30 * MINUTE)]).toEqual([60, 0]);
    expect((await fixture.firings()).some(({ valuePico }) => String(valuePico) === '500')).toBe(false);
    expect([await fire(NOON + 61 * MINUTE), await fire(NOON + 62 * MINUTE)]).toEqual([10, 0]);
  });

  test('a rolling window is the sum of its steps, and reported once a day', async () => {
    const rolling = { measure: 'requests', window: '24h', amount: '100' } as const;
    const limitId = await addLimit(rolling);
    await fixture.addAlert({ scope: 'limit', scopeId: limitId, percentage: 100, notifyRecovery: true });
    await use(limitId, rolling, 60n, { startMs: NOON - 25 * HOUR });
    await use(limitId, rolling, 30n, { startMs: NOON - 24 * HOUR });
    await use(limitId, rolling, 50n, { startMs: NOON - 3 * HOUR });
    expect(await fire()).toBe(0);
    await use(limitId, rolling, 20n, { startMs: NOON });
    expect([await fire(), await fire(NOON + MINUTE)]).toEqual([1, 0]);
    expect(await fixture.periods(`limit:${limitId}:`)).toEqual(['requests:-:24h@2026-11-21']);
    // The oldest steps leave the window.
    expect([await fire(NOON + HOUR), await fire(NOON + 2 * HOUR)]).toEqual([1, 0]);
    expect((await fixture.firings()).map(({ kind, valuePico }) => [kind, String(valuePico)])).toEqual([
      ['crossed', '100'],
      ['recovered', '70'],
    ]);
  });

  test('a limit of minutes is reported once an hour, also when a minute is counted late', async () => {
    const quick = { measure: 'requests', window: 'minute', amount: '10' } as const;
    const limitId = await addLimit(quick);
    await fixture.addAlert({ scope: 'limit', scopeId: limitId, percentage: 100 });
    await use(limitId, quick, 10n, { startMs: NOON });
    expect(await fire(NOON + 90_000)).toBe(1);
    await use(limitId, quick, 12n, { startMs: NOON + 5 * MINUTE });
    expect(await fire(NOON + 5 * MINUTE)).toBe(0);
    await use(limitId, quick, 12n, { startMs: NOON + HOUR });
    expect([await fire(NOON + HOUR), await fire(NOON + HOUR + 5 * MINUTE)]).toEqual([1, 0]);
  });

  test('is over when the limit is raised or a window begins; what was counted under another measure does not matter', async () => {
    const limitId = await addLimit(DAILY);
    await fixture.addAlert({ scope: 'limit', scopeId: limitId, percentage: 80, notifyRecovery: true, repeatHours: 1 });
    await use(limitId, DAILY, 900n);
    expect([await fire(), await fire(NOON + HOUR), await fire(NOON + HOUR)]).toEqual([1, 1, 0]);
    const change = (document: object) => server.database.prisma.organizationRule.update({ where: { id: limitId }, data: { document } });
    await change({ ...DAILY, amount: '5000' });
    expect([await fire(NOON + 2 * HOUR), await fire(NOON + 3 * HOUR)]).toEqual([1, 0]);
    await change(DAILY);
    expect(await fire(NOON + 4 * HOUR)).toBe(1);
    await change({ ...DAILY, measure: 'requests' });
    expect([await fire(NOON + 5 * HOUR), await fire(NOON + 6 * HOUR)]).toEqual([1, 0]);
    expect((await fixture.firings()).map(({ kind, repetition }) => `${kind} ${repetition}`)).toEqual([
      ...['crossed 0', 'crossed 1', 'recovered 1', 'crossed 2', 'recovered 2'],
    ]);
  });

  test('a window that begins ends the one before', async () => {
    const limitId = await addLimit(DAILY);
    await fixture.addAlert({ scope: 'limit', scopeId: limitId, percentage: 80, notifyRecovery: true });
    await use(limitId, DAILY, 900n);
    expect(await fire()).toBe(1);
    expect([await fire(TODAY + DAY), await fire(TODAY + DAY + HOUR)]).toEqual([1, 0]);
  });

  test('days are those of the organization’s time zone, and what is counted late belongs to its own', async () => {
    await server.database.prisma.organization.update({
      where: { id: fixture.organizationId },
      data: { settings: { time_zone: 'Asia/Kolkata' } },
    });
    const limitId = await addLimit(DAILY);
    await fixture.addAlert({ scope: 'limit', scopeId: limitId, percentage: 80 });
    const startMs = TODAY - 5.5 * HOUR;
    await use(limitId, DAILY, 900n, { startMs });
    expect(await fire(startMs + DAY + MINUTE)).toBe(1);
    expect((await fixture.firings())[0]).toMatchObject({ details: { limit: { windowEnd: '2026-11-21T18:30:00.000Z' } } });
    await use(limitId, DAILY, 900n, { startMs: startMs + DAY });
    expect([await fire(startMs + 2 * DAY + 3 * MINUTE), await fire(startMs + 2 * DAY + MINUTE)]).toEqual([0, 1]);
  });

  test('a limit that is gone, and one of another organization, are silent', async () => {
    const limitId = await addLimit(DAILY);
    await fixture.addAlert({ scope: 'limit', scopeId: limitId, percentage: 1, notifyRecovery: true });
    const other = await makeOther();
    await fixture.addAlert({ scope: 'limit', scopeId: other, percentage: 1 });
    await use(limitId, DAILY, 900n);
    await server.database.prisma.organizationRule.delete({ where: { id: limitId } });
    expect(await fire()).toBe(0);
  });

  async function makeOther(): Promise<string> {
    const { prisma } = server.database;
    const organizationId = (await prisma.organization.create({ data: { name: 'Other' } })).id;
    const { id } = await prisma.organizationRule.create({ data: { organizationId, kind: 'limit', name: 'x', document: DAILY } });
    const scope = nameLimitScope({ limitId: id, ...DAILY, partition: '-', startMs: TODAY });
    await prisma.limitUsage.create({ data: { organizationId, scope, limitId: id, used: 900, version: 1n, windowStart: new Date(TODAY) } });
    return id;
  }
});
