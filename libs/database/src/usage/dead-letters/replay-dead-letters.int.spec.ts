import { randomUUID } from 'node:crypto';
import { makeUsageEvent, ORGANIZATION_ID, sequenceEvents } from '@weir/testing';
import { DAY_MS, HOUR_MS, type UsageStore } from '@weir/usage';
import { clearUsage } from '../../__fixtures__/clear-usage';
import { startTestDatabase, type TestDatabase } from '../../__fixtures__/test-database';
import { createUsageStore } from '../create-usage-store';
import { readReconciliation } from '../reconcile/read-reconciliation';
import { countDeadLetters } from './count-dead-letters';
import { replayDeadLetters } from './replay-dead-letters';

const NOW = Date.UTC(2026, 7, 7, 13);

let server: TestDatabase;
let store: UsageStore;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await clearUsage(server.database.pool);
  store = createUsageStore({ pool: server.database.pool, now: () => NOW });
});

async function queryRows(text: string): Promise<Record<string, unknown>[]> {
  return (await server.database.pool.query<Record<string, unknown>>(text)).rows;
}

/** As if a later version could read what this one could not. */
async function mend(reason: string): Promise<void> {
  await server.database.pool.query('UPDATE usage_dead_letter SET payload = $2 WHERE reason = $1', [
    reason,
    Buffer.from(JSON.stringify(makeUsageEvent({ cost_p: '5', billed_p: '5' }))),
  ]);
}

/** Events of these tests are of another time than the clock of Postgres. */
async function receiveNow(): Promise<void> {
  await server.database.pool.query('UPDATE usage_dead_letter SET received_at = to_timestamp($1::bigint)', [NOW / 1000]);
}

async function expectTiedOut(requests: number, cost: string): Promise<void> {
  const month = { organizationId: ORGANIZATION_ID, monthMs: Date.UTC(2026, 7) };
  const { sums, differences } = await readReconciliation(server.database, month);
  expect(differences).toEqual([]);
  expect(sums.find(({ place }) => place === 'month')).toMatchObject({ requests: BigInt(requests), costPico: BigInt(cost) });
  expect(sums.map(({ place }) => place)).toEqual(['events', 'hour', 'day', 'month', 'spend', 'ledger']);
}

describe('M9: replaying dead letters', () => {
  test('after the cause is gone each letter counts once, however often and by however many it is replayed', async () => {
    const { pool } = server.database;
    const batch = sequenceEvents(randomUUID(), [makeUsageEvent({ cost_p: '1', billed_p: '1' }), '{"v":2}', '{broken', '{"v":2}']);
    expect(await store.applyBatch(batch, null)).toMatchObject({ applied: 1, deadLettered: 3 });
    await receiveNow();
    expect(await replayDeadLetters({ pool })).toEqual({ replayed: 0, refused: { unknown_version: 2, unreadable: 1 } });
    await expectTiedOut(1, '1');
    await mend('unknown_version');
    const runs = await Promise.all([replayDeadLetters({ pool }), replayDeadLetters({ pool })]);
    expect(runs.reduce((sum, { replayed }) => sum + replayed, 0)).toBe(2);
    expect(await replayDeadLetters({ pool })).toEqual({ replayed: 0, refused: { unreadable: 1 } });
    expect(await store.applyBatch(batch, null)).toMatchObject({ applied: 0, duplicates: 4 });
    await expectTiedOut(3, '11');
    expect(await countDeadLetters(pool)).toEqual(new Map([['unreadable', 1]]));
  });

  test('one letter that Postgres still refuses does not hold up the others', async () => {
    const { pool } = server.database;
    const events = ['fine', 'poison', 'well'].map((request_id) => makeUsageEvent({ request_id, cost_p: '2', billed_p: '2' }));
    await pool.query("ALTER TABLE usage_event ADD CONSTRAINT no_requests CHECK (request_id NOT IN ('fine', 'poison', 'well'))");
    expect(await store.applyBatch(sequenceEvents(randomUUID(), events), null)).toMatchObject({ deadLettered: 3 });
    await receiveNow();
    await pool.query('ALTER TABLE usage_event DROP CONSTRAINT no_requests');
    await pool.query("ALTER TABLE usage_event ADD CONSTRAINT no_requests CHECK (request_id <> 'poison')");
    expect(await replayDeadLetters({ pool, reason: 'unstorable' })).toEqual({ replayed: 2, refused: { unstorable: 1 } });
    await pool.query('ALTER TABLE usage_event DROP CONSTRAINT no_requests');
    expect(await replayDeadLetters({ pool })).toEqual({ replayed: 1, refused: {} });
    await expectTiedOut(3, '6');
  });

  test('M11: what came too late counts only where an operator says so, and then in its own hour', async () => {
    const { pool } = server.database;
    const admitted_at = NOW - 40 * DAY_MS;
    await store.applyBatch(sequenceEvents(randomUUID(), [makeUsageEvent({ admitted_at })]), null);
    await receiveNow();
    expect(await replayDeadLetters({ pool })).toEqual({ replayed: 0, refused: { too_late: 1 } });
    expect(await replayDeadLetters({ pool, acceptLate: true })).toEqual({ replayed: 1, refused: {} });
    const [hour] = await queryRows('SELECT period_start FROM usage_hour');
    expect((hour?.['period_start'] as Date).getTime()).toBe(Math.floor(admitted_at / HOUR_MS) * HOUR_MS);
  });

  test('a letter that waited for weeks is as late as it was when it came', async () => {
    const { pool } = server.database;
    await store.applyBatch(sequenceEvents(randomUUID(), ['{"v":2}']), null);
    await receiveNow();
    await mend('unknown_version');
    expect(await replayDeadLetters({ pool })).toEqual({ replayed: 1, refused: {} });
    await expectTiedOut(1, '5');
  });

  test('a letter without a place in a journal is left alone', async () => {
    const { pool } = server.database;
    const payload = JSON.stringify(makeUsageEvent());
    await store.applyBatch([{ writerId: 'no-uuid', epoch: 0, sequence: 1n, payload }], null);
    expect(await replayDeadLetters({ pool })).toEqual({ replayed: 0, refused: {} });
    expect(await countDeadLetters(pool)).toEqual(new Map([['unplaced', 1]]));
  });
});
