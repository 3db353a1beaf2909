import { randomUUID } from 'node:crypto';
import { makeUsageEvent, NO_UNITS, sequenceEvents } from '@weir/testing';
import { DAY_MS } from '@weir/usage';
import { startTestDatabase, type TestDatabase } from '../../__fixtures__/test-database';
import { createUsageStore } from '../create-usage-store';
import { readProviderDays, readProviderModels } from './read-provider-cost';

const DAY = Date.UTC(2026, 7, 7);

let server: TestDatabase;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());

test('returns what the gateway’s own account cost by day, and a day by model with what is estimated of it', async () => {
  const { pool } = server.database;
  const store = createUsageStore({ pool, now: () => DAY + 2 * DAY_MS });
  const at = DAY + DAY_MS - 1;
  const events = [
    makeUsageEvent({ admitted_at: at, model_used: 'vendor/a', cost_p: '700' }),
    makeUsageEvent({ admitted_at: at, model_used: 'vendor/a', cost_p: '30', unit_source: 'estimate', status: 'aborted_crash' }),
    makeUsageEvent({
      ...{ admitted_at: at, model_used: 'vendor/b', cost_p: '0', billed_p: '0', status: 'upstream_error' },
      uncharged: { units: { ...NO_UNITS, in: 5 }, cost_p: '44' },
    }),
    makeUsageEvent({ admitted_at: at + 1, model_used: 'vendor/a', cost_p: '9' }),
    makeUsageEvent({ admitted_at: at, cost_p: '100000', billed_p: '0', is_byok: true }),
    makeUsageEvent({ admitted_at: at, cost_p: '100000', provider_used: 'other' }),
  ];
  await store.applyBatch(sequenceEvents(randomUUID(), events), null);

  const stretch = { providerId: 'vendor', startMs: DAY, endMs: DAY + 2 * DAY_MS };
  expect(await readProviderDays(pool, stretch)).toEqual(
    new Map([
      [DAY, 730n],
      [DAY + DAY_MS, 9n],
    ]),
  );
  expect(await readProviderDays(pool, { ...stretch, endMs: DAY + DAY_MS })).toEqual(new Map([[DAY, 730n]]));
  expect(await readProviderModels(pool, { providerId: 'vendor', dayMs: DAY })).toEqual([
    { modelId: 'vendor/a', attempts: 2, countedPico: 730n, estimatedPico: 30n, unchargedPico: 0n },
    { modelId: 'vendor/b', attempts: 1, countedPico: 0n, estimatedPico: 0n, unchargedPico: 44n },
  ]);
  expect(await readProviderModels(pool, { providerId: 'vendor', dayMs: DAY - DAY_MS })).toEqual([]);
});
