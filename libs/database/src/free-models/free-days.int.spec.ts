import { randomUUID } from 'node:crypto';
import { createMemoryFreeModelDays } from '@weir/limits';
import { makeUsageEvent, NO_UNITS, sequenceEvents } from '@weir/testing';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { createUsageStore } from '../usage/create-usage-store';
import { createFreeSlotCounter } from './create-free-slot-counter';

const DAY = Date.UTC(2026, 7, 7);
const NOW = DAY + 13 * 3_600_000;

let server: TestDatabase;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());

test('a day counts requests to free models once, by UTC day, without those that failed without a token; a lost count starts from it', async () => {
  const { pool } = server.database;
  const org_id = randomUUID();
  const store = createUsageStore({ pool, now: () => NOW });
  const free = { org_id, is_free: true, admitted_at: NOW };
  const failed = { ...free, status: 'upstream_error' as const, units: NO_UNITS };
  const events = [
    makeUsageEvent(free),
    makeUsageEvent({ ...free, admitted_at: DAY }),
    makeUsageEvent({ ...free, status: 'upstream_cut' }), // after some tokens
    makeUsageEvent({ ...free, status: 'client_closed', units: NO_UNITS }),
    makeUsageEvent({ ...free, admitted_at: DAY - 1 }),
    makeUsageEvent(failed),
    makeUsageEvent({ ...free, logical: false }),
    makeUsageEvent({ ...free, is_free: false }),
    makeUsageEvent({ ...free, org_id: randomUUID() }),
  ];
  const batch = sequenceEvents(randomUUID(), events);
  await Promise.all([store.applyBatch(batch, null), store.applyBatch(batch.slice(0, 5), null)]);

  const count = createFreeSlotCounter(pool);
  expect([await count(org_id, DAY), await count(org_id, DAY - 86_400_000), await count(org_id, DAY + 86_400_000)]).toEqual([4, 1, 0]);
  const days = createMemoryFreeModelDays({ countSlots: count, keptMs: 60_000, now: () => NOW });
  const take = (requestId: string) => days.take({ organizationId: org_id, dayMs: DAY, requestId }, 5);
  expect([await take('a'), await take('b')]).toEqual([
    { isAllowed: true, used: 5 },
    { isAllowed: false, used: 5 },
  ]);
});
