import { randomUUID } from 'node:crypto';
import { LIMIT_MEASURES, LIMIT_WINDOWS, type LimitMeasure, type UsageEvent } from '@weir/contracts';
import { limitScopeExpiry, nameLimitScope, parseLimitScope, type LimitScopeParts } from '@weir/limits';
import { makeUsageEvent, NO_UNITS, sequenceEvents } from '@weir/testing';
import type { UsageStore } from '@weir/usage';
import { clearUsage } from '../__fixtures__/clear-usage';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { createUsageStore } from '../usage/create-usage-store';
import { createUsageUpkeep } from '../usage/create-usage-upkeep';
import { compareLimitUsage } from './compare-limit-usage';
import { verifyLimitUsage } from './verify-limit-usage';
import { createHoldTruth } from './create-hold-truth';

const NOW = Date.UTC(2026, 7, 7, 13);
const LIMIT_ID = '99999999-9999-4999-8999-999999999999';
const WINDOWED = LIMIT_MEASURES.filter(({ isConcurrent }) => !isConcurrent).map(({ name }) => name);

let server: TestDatabase;
let organizationId: string;
let store: UsageStore;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await clearUsage(server.database.pool);
  organizationId = randomUUID();
  store = createStore();
});

const createStore = (now = NOW): UsageStore => createUsageStore({ pool: server.database.pool, now: () => now });

const nameScope = (more: Partial<LimitScopeParts> = {}): string =>
  nameLimitScope({ limitId: LIMIT_ID, measure: 'tokens', partition: '-', window: 'day', startMs: Date.UTC(2026, 7, 7), ...more });

const eventIn = (hold_scopes: string[], more: Partial<UsageEvent> = {}): UsageEvent => {
  const request_id = more.request_id ?? randomUUID();
  return makeUsageEvent({ org_id: organizationId, request_id, hold_id: request_id, hold_scopes, ...more });
};

async function read(scopes: readonly string[]): Promise<(readonly [used: bigint, version: bigint])[]> {
  const bases = await createHoldTruth(server.database.pool).readBases(organizationId, scopes);
  return scopes.map((scope) => {
    const found = bases.find((base) => base.scope === scope);
    return [found?.base ?? -1n, found?.version ?? -1n] as const;
  });
}

const used = async (...scopes: string[]): Promise<bigint[]> => (await read(scopes)).map(([amount]) => amount);
const readRows = async (): Promise<unknown[]> =>
  (
    await server.database.pool.query<Record<string, unknown>>(
      `SELECT scope, limit_id, extract(epoch FROM window_start)::float8 * 1000 AS start_ms, extract(epoch FROM expires_at)::float8 * 1000 AS expiry_ms
        FROM limit_usage ORDER BY scope`,
    )
  ).rows;
const expectSumOfEvents = async (): Promise<void> => expect(await compareLimitUsage(server.database.pool)).toEqual([]);

const UNITS = { ...NO_UNITS, in: 10, cached_in: 200, cache_w5m: 3_000, cache_w1h: 40_000, out: 7, reasoning: 5 };
const SPENT: Readonly<Record<LimitMeasure, bigint>> = {
  ...{ usd: 700n, requests: 1n, input_tokens: 43_210n, output_tokens: 7n, tokens: 43_217n },
  ...{ concurrent_requests: 0n, concurrent_streams: 0n },
};

describe('what limits have counted', () => {
  test.each(WINDOWED)('is %s of every event, of an attempt that was followed by another too, and grows in version', async (measure) => {
    const scope = nameScope({ measure });
    const event = eventIn([scope], { cost_p: '700', billed_p: '0', units: UNITS });
    await store.applyBatch(sequenceEvents(randomUUID(), [event]), null);
    expect(await read([scope])).toEqual([[SPENT[measure], 1n]]);
    const second = eventIn([scope], { cost_p: '700', units: UNITS, logical: false });
    await store.applyBatch(sequenceEvents(randomUUID(), [second, eventIn([scope], { cost_p: '1', units: UNITS })]), null);
    const requests = measure === 'requests' ? 2n : null;
    expect(await read([scope])).toEqual([[requests ?? (measure === 'usd' ? 1_401n : 3n * SPENT[measure]), 2n]]);
    await expectSumOfEvents();
  });

  test.each([...LIMIT_WINDOWS.map(({ name }) => name)])('is kept by its window "%s", until no one asks for it any more', async (window) => {
    const startMs = window === 'total' ? null : Date.UTC(2026, 7, 7, 12, 30);
    const scope = nameScope({ window, startMs });
    await store.applyBatch(sequenceEvents(randomUUID(), [eventIn([scope])]), null);
    const expiry = limitScopeExpiry({ window, startMs });
    expect(await readRows()).toEqual([{ scope, limit_id: LIMIT_ID, start_ms: startMs, expiry_ms: expiry }]);
    const forget = (nowMs: number) => createUsageUpkeep({ pool: server.database.pool, now: () => nowMs }).forgetLimits();
    if (expiry === null) expect(await forget(NOW + 10_000 * 86_400_000)).toBe(0);
    else expect([await forget(expiry - 1), await forget(expiry)]).toEqual([0, 1]);
  });

  test('leaves out attempts that a limit does not count, each by its place', async () => {
    const [of, other] = [nameScope(), nameScope({ limitId: randomUUID() })];
    const events = [
      eventIn(['key:k:2026-08', of, other], { hold_uncounted: [1] }),
      eventIn([of, other], { hold_uncounted: [1] }),
      eventIn([of, other], { hold_uncounted: [0, 1] }),
    ];
    await store.applyBatch(sequenceEvents(randomUUID(), events), null);
    expect(await used(of, other)).toEqual([120n, 120n]);
    await expectSumOfEvents();
  });

  test('is nothing of what runs at a moment, without a question to Postgres', async () => {
    const now = LIMIT_MEASURES.filter(({ isConcurrent }) => isConcurrent).map(({ name }) =>
      nameScope({ measure: name, window: null, startMs: null }),
    );
    await store.applyBatch(sequenceEvents(randomUUID(), [eventIn(now)]), null);
    expect(await readRows()).toEqual([]);
    const unreachable = { query: () => Promise.reject(new Error('asked')) } as unknown as Parameters<typeof createHoldTruth>[0];
    const bases = await createHoldTruth(unreachable).readBases(organizationId, now);
    expect(bases).toEqual(now.map((scope) => ({ scope, base: 0n, version: 0n })));
  });

  test('does not change by events that come after the window is forgotten, or by names that no one knows', async () => {
    const scope = nameScope({ window: 'minute', startMs: Date.UTC(2026, 7, 7, 12, 30) });
    const expiry = limitScopeExpiry(parseLimitScope(scope) ?? { window: null, startMs: null }) ?? 0;
    await createStore(expiry).applyBatch(sequenceEvents(randomUUID(), [eventIn([scope])]), null);
    expect(await used(scope)).toEqual([0n]);
    await createStore(expiry - 1).applyBatch(sequenceEvents(randomUUID(), [eventIn([scope])]), null);
    expect(await used(scope)).toEqual([120n]);
    const later = `limit:${LIMIT_ID}:joules:-:day@1`;
    const applied = await store.applyBatch(sequenceEvents(randomUUID(), [eventIn([later])]), null);
    expect([applied.applied, await used(later)]).toEqual([1, [0n]]);
  });

  test('counts an event once, however often its batch comes and however many count at a time', async () => {
    const scopes = WINDOWED.flatMap((measure) => ['a', 'b', 'c'].map((partition) => nameScope({ measure, partition })));
    const batches = Array.from({ length: 24 }, (_, at) => {
      const events = Array.from({ length: 20 }, (_unused, of) => {
        const own = scopes.filter((_scope, place) => (place + of + at) % 3 !== 0).sort(() => ((at + of) % 2 === 0 ? 1 : -1));
        return eventIn(own, {
          ...{ cost_p: String(1 + at * 20 + of), units: { ...UNITS, out: of }, logical: of % 5 !== 0 },
          ...(of % 4 === 0 ? { hold_uncounted: [0, 3] } : {}),
        });
      });
      return sequenceEvents(randomUUID(), events);
    });
    const stores = [createStore(), createStore(), createStore()];
    const all = [...batches, ...batches, ...batches.map((batch) => batch.slice(5, 15))];
    const applied = await Promise.all(all.map(async (batch, at) => stores[at % 3]?.applyBatch(batch, null)));
    expect(applied.reduce((sum, one) => sum + (one?.applied ?? 0), 0)).toBe(24 * 20);
    expect(await readRows()).toHaveLength(scopes.length);
    await expectSumOfEvents();
  });

  test('differs from its events where it was changed behind our back', async () => {
    const scope = nameScope();
    await store.applyBatch(sequenceEvents(randomUUID(), [eventIn([scope])]), null);
    await server.database.pool.query('UPDATE limit_usage SET used = used - 1');
    expect(await compareLimitUsage(server.database.pool)).toEqual([{ organizationId, scope, counted: 119n, used: 120n }]);
  });

  test('is verified as far as windows run and events are kept', async () => {
    const verify = (more: Partial<Parameters<typeof verifyLimitUsage>[1]> = {}) =>
      verifyLimitUsage(server.database.pool, { organizationId: null, nowMs: NOW, ...more });
    const [day, total] = [nameScope(), nameScope({ window: 'total', startMs: null })];
    await store.applyBatch(sequenceEvents(randomUUID(), [eventIn([day, total])]), null);
    expect(await verify()).toEqual({ compared: 2, notCompared: 0, differences: [] });
    await server.database.pool.query('DELETE FROM limit_usage WHERE scope = $1', [day]);
    await server.database.pool.query('UPDATE limit_usage SET used = used + 1');
    const differing = [expect.objectContaining({ scope: day, counted: 0n, used: 120n }), expect.objectContaining({ scope: total })];
    expect(await verify()).toEqual({ compared: 1, notCompared: 0, differences: differing });
    expect(await verify({ organizationId: randomUUID() })).toEqual({ compared: 0, notCompared: 0, differences: [] });
    // Another day, whose window is over by then.
    expect(await verify({ nowMs: NOW + 3 * 86_400_000 })).toMatchObject({ differences: [{ scope: total, counted: 121n, used: 120n }] });

    await server.database.pool.query(
      `INSERT INTO usage_day SELECT (jsonb_populate_record(d, jsonb_build_object('period_start', d.period_start - interval '9 days'))).*
        FROM usage_day d`,
    );
    expect(await verify()).toMatchObject({ notCompared: 1, differences: [] });
  });

  test('belongs to its organization: another one neither sees it nor starts from it', async () => {
    const scope = nameScope();
    await store.applyBatch(sequenceEvents(randomUUID(), [eventIn([scope])]), null);
    expect(await createHoldTruth(server.database.pool).readBases(randomUUID(), [scope])).toEqual([{ scope, base: 0n, version: 0n }]);
    const seenBy = async (id: string): Promise<unknown> =>
      (await server.database.asOrganization(id).query({ text: 'SELECT count(*)::int AS rows FROM limit_usage', values: [] })).rows;
    expect([await seenBy(organizationId), await seenBy(randomUUID())]).toEqual([[{ rows: 1 }], [{ rows: 0 }]]);
  });
});
