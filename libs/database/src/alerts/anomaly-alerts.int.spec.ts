import { randomUUID } from 'node:crypto';
import { makeUsageEvent, sequenceEvents } from '@weir/testing';
import { clearUsage } from '../__fixtures__/clear-usage';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { createUsageStore } from '../usage/create-usage-store';
import { makeAlertsFixture, type AlertsFixture } from './__fixtures__/start-alerts';
import { fireAnomalyAlerts } from './fire-anomaly-alerts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MINUTE = 60_000;
/** A Tuesday, half past one. */
const NOW = Date.UTC(2026, 10, 24, 13, 30);
const SETTINGS = { measure: 'usd', sensitivity: 'medium' };
const log = { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn() };

let server: TestDatabase;
let fixture: AlertsFixture;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await clearUsage(server.database.pool);
  fixture = await makeAlertsFixture(server);
});

/** Usage as it is counted: dollars by the moments at which they were spent. */
async function spend(apiKeyId: string, amounts: readonly (readonly [atMs: number, usd: number])[]): Promise<void> {
  const store = createUsageStore({ pool: server.database.pool, now: () => NOW + 3 * DAY, log });
  const events = amounts.map(([at, usd]) =>
    makeUsageEvent({
      org_id: fixture.organizationId,
      api_key_id: apiKeyId,
      admitted_at: at,
      cost_p: String(Math.round(usd * 1e6)) + '000000',
    }),
  );
  await store.applyBatch(sequenceEvents(randomUUID(), events), null);
}

/** Ten days of two dollars at this hour. */
const USUAL = Array.from({ length: 10 }, (_, index) => [NOW - (index + 1) * DAY, 2] as const);

async function fire(atMs = NOW): Promise<number> {
  const found = await Promise.all(Array.from({ length: 4 }, () => fireAnomalyAlerts(server.database.pool, atMs)));
  return found.reduce((sum, count) => sum + count, 0);
}

const addAlert = (more: object = {}) => fixture.addAlert({ scope: 'anomaly', scopeId: '', amountPico: 1e12, settings: SETTINGS, ...more });

describe('alerts about unusual hours', () => {
  test('as soon as the running hour is far above the usual, once a day and key however many look', async () => {
    await addAlert();
    await spend(fixture.keyId, [...USUAL, [NOW - MINUTE, 3]]);
    expect(await fire()).toBe(0);
    await spend(fixture.keyId, [[NOW - MINUTE, 5]]);
    expect([await fire(), await fire(), await fire(NOW + 10 * MINUTE)]).toEqual([1, 0, 0]);
    const [firing] = await fixture.firings();
    expect(firing).toMatchObject({
      period: `2026-11-24/${fixture.keyId}`,
      details: { unit: 'USD', anomaly: { apiKeyId: fixture.keyId, hour: '2026-11-24T13:00:00.000Z', usual: '2', sensitivity: 'medium' } },
    });
    expect([String(firing?.valuePico), String(firing?.thresholdPico)]).toEqual(['8000000000000', '3800000000000']);
  });

  test('of one key or of each; another key of the organization is judged by its own past', async () => {
    const idle = await fixture.addKey();
    await addAlert({ scopeId: fixture.keyId });
    await addAlert();
    await spend(fixture.keyId, [...USUAL, [NOW, 2]]);
    await spend(idle, [[NOW, 1.5]]);
    expect(await fire()).toBe(1);
    expect((await fixture.firings())[0]?.period).toBe(`2026-11-24/${idle}`);
  });

  test('small change, and a key of this morning, are quiet; requests are counted where they are asked for', async () => {
    const fresh = await fixture.addKey(new Date(NOW - 5 * HOUR));
    const least = await addAlert({ amountPico: 20e12 });
    await spend(fixture.keyId, [...USUAL, [NOW, 15]]);
    await spend(fresh, [[NOW, 500]]);
    expect(await fire()).toBe(0);
    await server.database.prisma.alert.delete({ where: { id: least } });
    await addAlert({ amountPico: 3, settings: { measure: 'requests', sensitivity: 'high' } });
    expect(await fire()).toBe(0);
    await spend(fixture.keyId, [
      [NOW, 0.1],
      [NOW, 0.1],
    ]);
    expect(await fire()).toBe(1);
    expect((await fixture.firings())[0]).toMatchObject({ details: { unit: 'requests', anomaly: { usual: '1' } } });
  });

  test('the last minutes of an hour are noticed in the next one', async () => {
    await addAlert();
    await spend(fixture.keyId, [...USUAL, [NOW, 50]]);
    const next = NOW + 30 * MINUTE;
    expect([await fire(next + 6 * MINUTE), await fire(next + MINUTE)]).toEqual([0, 1]);
  });

  test('again after so many hours while it holds, and over after a whole hour as usual', async () => {
    await addAlert({ repeatHours: 1, notifyRecovery: true });
    await spend(fixture.keyId, [...USUAL, [NOW, 50], [NOW + HOUR, 60]]);
    expect(await fire()).toBe(1);
    expect([await fire(NOW + HOUR - 10 * MINUTE), await fire(NOW + HOUR)]).toEqual([0, 1]);
    // 15:30: the whole hour before was unusual. 16:04: the usage of 15:00 may still come in. 16:06: it was as usual.
    const at = (hour: number, minute: number) => Date.UTC(2026, 10, 24, hour, minute);
    expect([await fire(at(15, 30)), await fire(at(16, 4)), await fire(at(16, 6)), await fire(at(17, 30))]).toEqual([0, 0, 1, 0]);
    expect(await fixture.periods(`2026-11-24/${fixture.keyId}`)).toEqual(['', '#1', '#1#recovered']);
  });
});
