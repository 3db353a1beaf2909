import { makeUsageEvent, ORGANIZATION_ID, sequenceEvents } from '@weir/testing';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { createGenerationReader } from './create-generation-reader';
import { createUsageStore } from './create-usage-store';
import { randomUUID } from 'node:crypto';

describe('what became of a request', () => {
  let server: TestDatabase;
  beforeAll(async () => {
    server = await startTestDatabase();
  });
  afterAll(() => server.stop());

  it('is read for its organization only, attempts in the order they were made, with all that was reported of them', async () => {
    const nowMs = Date.now();
    const common = { request_id: 'req-1', admitted_at: nowMs - 5000, dur_ms: 1000 };
    const second = makeUsageEvent({ ...common, attempt_no: 1, ended_at: nowMs, why: 'policy/p: fallback' });
    const first = makeUsageEvent({ ...common, attempt_no: 2, ended_at: nowMs - 3000, logical: false, error_code: 'provider_failed' });
    const other = makeUsageEvent({ request_id: 'req-2', admitted_at: nowMs - 5000 });
    const { pool } = server.database;
    await createUsageStore({ pool, now: Date.now }).applyBatch(sequenceEvents(randomUUID(), [second, first, other]), null);

    const reader = createGenerationReader(pool);
    expect(await reader.findEvents(ORGANIZATION_ID, 'req-1')).toEqual([first, second]);
    expect(await reader.findEvents(randomUUID(), 'req-1')).toEqual([]);
    expect(await reader.findEvents(ORGANIZATION_ID, 'req-3')).toEqual([]);
  });
});
