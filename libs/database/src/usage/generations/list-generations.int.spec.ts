import { randomBytes, randomUUID } from 'node:crypto';
import type { UsageEvent } from '@weir/contracts';
import { API_KEY_ID, makeUsageEvent, ORGANIZATION_ID, sequenceEvents, waitUntil } from '@weir/testing';
import { encodeGenerationCursor, parseGenerationQuery, type GenerationPage, type GenerationScope } from '@weir/usage';
import { clearUsage } from '../../__fixtures__/clear-usage';
import { startTestDatabase, type TestDatabase } from '../../__fixtures__/test-database';
import { createGenerationReader } from '../create-generation-reader';
import { createUsageStore } from '../create-usage-store';
import { LOOKED_AT_MAX } from './build-list-sql';

const OTHER_KEY = '66666666-6666-4666-8666-666666666666';
const MEMBER = '33333333-3333-4333-8333-333333333333';
const GROUP = '44444444-4444-4444-8444-444444444444';
/** Relative to the clock of Postgres, by which marks are made. */
const NOW = Date.now();

let server: TestDatabase;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());
beforeEach(() => clearUsage(server.database.pool));

async function count(events: readonly UsageEvent[]): Promise<void> {
  const store = createUsageStore({ pool: server.database.pool, now: () => NOW });
  const writerId = randomUUID();
  for (let at = 0; at < events.length; at += 2000) {
    const batch = sequenceEvents(writerId, events.slice(at, at + 2000), BigInt(at));
    expect(await store.applyBatch(batch, null)).toMatchObject({ applied: batch.length });
  }
}

/** A request of some seconds ago that took a second. */
function ask(id: string, secondsAgo: number, more: Partial<UsageEvent> = {}): UsageEvent {
  const admitted_at = NOW - secondsAgo * 1000;
  return makeUsageEvent({ request_id: id, event_id: `${id}:${more.attempt_no ?? 1}`, admitted_at, ended_at: admitted_at + 1000, ...more });
}

const list = (parameters: Record<string, unknown> = {}, scope: Partial<GenerationScope> = {}): Promise<GenerationPage> =>
  createGenerationReader(server.database.pool).listGenerations(
    parseGenerationQuery(parameters, { organizationId: ORGANIZATION_ID, own: null, ...scope }),
  );
const idsOf = ({ lines }: GenerationPage): string[] => lines.map(({ event }) => event.request_id);
const listIds = async (parameters: Record<string, unknown> = {}, scope: Partial<GenerationScope> = {}): Promise<string[]> =>
  idsOf(await list(parameters, scope));
const cursorOf = ({ next }: GenerationPage): string => encodeGenerationCursor(next === null ? {} : { before: next });
const afterOf = ({ counted: since }: GenerationPage): string => encodeGenerationCursor({ since });

/** A mark reaches back to the oldest transaction of a server that other specs use as well: what was counted since then comes again. */
async function waitForEarlierTransactions(): Promise<void> {
  const read = async (bound: 'xmin' | 'xmax'): Promise<bigint> => {
    const { rows } = await server.database.pool.query<{ id: string }>(`SELECT pg_snapshot_${bound}(pg_current_snapshot())::text AS id`);
    return BigInt(rows[0]?.id ?? 0);
  };
  const next = await read('xmax');
  await waitUntil('all transactions before have ended', async () => (await read('xmin')) >= next);
}

describe('the list of requests', () => {
  test('is newest first, the id deciding between requests of one millisecond, one line for each request', async () => {
    await count([
      ask('b', 20),
      ask('c', 20),
      ask('a', 20),
      ask('new', 10, { attempt_no: 2, cost_p: '5', billed_p: '4' }),
      ask('new', 10, { attempt_no: 1, logical: false, status: 'upstream_error', cost_p: '20', billed_p: '0' }),
      ask('old', 30 * 24 * 3600),
      // Attempts that are all there is so far: the request has not ended.
      ask('running', 1, { logical: false }),
    ]);
    const page = await list();
    expect(idsOf(page)).toEqual(['new', 'c', 'b', 'a', 'old']);
    expect(page).toMatchObject({ next: null, isPartial: false });
    expect(page.lines[0]).toMatchObject({ attempts: 2, costPico: 25n, billedPico: 4n, apiKeyName: null, admittedAtMs: NOW - 10_000 });
    expect(page.lines[1]).toMatchObject({ attempts: 1, costPico: 27_000_000n });
  });

  test('goes on where a page ended, whatever comes in between, also inside one millisecond', async () => {
    await count(['a', 'b', 'c', 'd', 'e'].map((id) => ask(id, 20)));
    const first = await list({ limit: '2' });
    await count([ask('f', 20), ask('newer', 1), ask('c-late', 20), ask('older', 30)]);
    const second = await list({ limit: '2', cursor: cursorOf(first) });
    const third = await list({ limit: '9', cursor: cursorOf(second) });
    expect([first, second, third].map(idsOf)).toEqual([
      ['e', 'd'],
      ['c-late', 'c'],
      ['b', 'a', 'older'],
    ]);
    expect(third.next).toBeNull();
  });

  test('shows others than administrators what their key or their member asked, and no one another organization', async () => {
    const other = randomUUID();
    await count([
      ask('by-key', 1),
      ask('by-member', 2, { api_key_id: OTHER_KEY, user_id: MEMBER }),
      ask('by-others', 3, { api_key_id: OTHER_KEY, user_id: randomUUID() }),
      ask('elsewhere', 4, { org_id: other, user_id: MEMBER }),
    ]);
    expect(await listIds()).toEqual(['by-key', 'by-member', 'by-others']);
    expect(await listIds({}, { own: { apiKeyId: API_KEY_ID, userId: null } })).toEqual(['by-key']);
    expect(await listIds({}, { own: { apiKeyId: API_KEY_ID, userId: MEMBER } })).toEqual(['by-key', 'by-member']);
    expect(await listIds({}, { own: { apiKeyId: randomUUID(), userId: null } })).toEqual([]);
    expect(await listIds({ id: 'by-others' }, { own: { apiKeyId: API_KEY_ID, userId: MEMBER } })).toEqual([]);
    expect(await listIds({}, { organizationId: other })).toEqual(['elsewhere']);
    expect(await listIds({ id: 'elsewhere' })).toEqual([]);
    expect(await listIds({}, { organizationId: randomUUID() })).toEqual([]);
  });

  test('keeps what every filter says', async () => {
    const { prisma } = server.database;
    await prisma.organization.upsert({ where: { id: ORGANIZATION_ID }, create: { id: ORGANIZATION_ID, name: 'Acme' }, update: {} });
    const labelSet = async (kind: string, labels: Record<string, string>): Promise<string> =>
      (await prisma.labelSet.create({ data: { organizationId: ORGANIZATION_ID, kind, labels, sha256: randomBytes(32) } })).id;
    const odd = `o'd"d. ]%_\\`;
    await count([
      ask('plain', 5),
      ask('full', 6, {
        ...{ model_used: 'vendor/large', model_requested: 'policy/best', provider_used: 'other', status: 'timeout', ended_at: NOW - 1000 },
        ...{
          api_key_id: OTHER_KEY,
          user_id: MEMBER,
          group_id: GROUP,
          end_user_id: `cust'omer`,
          endpoint: 'embeddings',
          modality: 'embedding',
        },
        ...{ key_label_set_id: await labelSet('key', { team: 'red', [odd]: '1' }), extra: { [odd]: "x'" }, cost_p: '60' },
      }),
      ask('full', 6, { attempt_no: 2, logical: false, cost_p: '40' }),
      ask('grouped', 7, { group_label_set_id: await labelSet('group', { team: 'blue' }), status: 'aborted_crash', ended_at: NOW }),
    ]);
    const expected: [Record<string, unknown>, string[]][] = [
      [{ model: 'vendor/large' }, ['full']],
      [{ model: ['vendor/large', 'vendor/model'] }, ['plain', 'full', 'grouped']],
      [{ model: ['vendor/large', 'vendor/model'], provider: 'other' }, ['full']],
      [{ model_requested: 'policy/best' }, ['full']],
      [{ provider: 'other' }, ['full']],
      [{ status: 'ok' }, ['plain']],
      [{ status: 'error' }, ['full', 'grouped']],
      [{ status: ['timeout', 'ok'] }, ['plain', 'full']],
      [{ api_key_id: OTHER_KEY.toUpperCase() }, ['full']],
      [{ user_id: MEMBER }, ['full']],
      [{ user_id: 'Unknown' }, ['plain', 'grouped']],
      [{ group_id: GROUP }, ['full']],
      [{ end_user: `cust'omer` }, ['full']],
      [{ end_user: `' OR true --` }, []],
      [{ endpoint: 'embeddings' }, ['full']],
      [{ modality: 'embedding' }, ['full']],
      [{ 'label.team': 'red' }, ['full']],
      [{ 'label.team': ['red', 'blue'] }, ['full', 'grouped']],
      [{ [`label.${odd}`]: '1' }, ['full']],
      [{ [`label[${odd}]`]: '1', 'label.team': 'red' }, ['full']],
      [{ 'label.team': 'red', 'label.other': 'x' }, []],
      [{ 'label.__proto__': 'x' }, []],
      [{ [`extra.${odd}`]: `x'` }, ['full']],
      // All attempts together are a hundred.
      [{ min_cost: '0.0000000001', max_cost: '0.0000000001' }, ['full']],
      [{ min_cost: '0.000000000101' }, ['plain', 'grouped']],
      [{ max_cost: '0.000000000099' }, []],
      [{ min_ms: '1001' }, ['full']],
      [{ max_ms: '1000' }, ['plain']],
      [{ min_ms: '5000', max_ms: '5000' }, ['full']],
      [{ id: 'pl' }, ['plain']],
      [{ id: 'full' }, ['full']],
      [{ id: 'full', status: 'ok' }, []],
      [{ id: 'full', end: new Date(NOW - 6000).toISOString() }, []],
      [{ id: 'f', start: new Date(NOW - 6000).toISOString(), end: new Date(NOW - 5999).toISOString() }, ['full']],
      [{ start: new Date(NOW - 6000).toISOString() }, ['plain', 'full']],
      [{ end: new Date(NOW - 6000).toISOString() }, ['grouped']],
      [{ end: '0000-01-01T00:00:00Z' }, []],
      [{ start: '9999-12-31T23:59:59.9999Z' }, []],
    ];
    for (const [parameters, ids] of expected) expect([parameters, await listIds(parameters)]).toEqual([parameters, ids]);
  });

  test('looks at so many events for one page and says where to go on', async () => {
    const many = Array.from({ length: LOOKED_AT_MAX + 50 }, (_, at) => ask(`r${String(at).padStart(6, '0')}`, 10));
    await count([ask('newest', 1, { model_used: 'rare' }), ...many, ask('oldest', 100, { model_used: 'rare' })]);
    const first = await list({ model: 'rare' });
    const second = await list({ model: 'rare', cursor: cursorOf(first) });
    expect([idsOf(first), first.isPartial, idsOf(second), second.isPartial, second.next]).toEqual([
      ['newest'],
      true,
      ['oldest'],
      false,
      null,
    ]);
    expect(await list({ limit: '200' })).toMatchObject({ isPartial: false, next: expect.any(Object) as unknown });
  }, 60_000);
});

describe('what came to be counted since', () => {
  test('is all of it, early admissions too, and nothing again', async () => {
    await count([ask('a', 20), ask('b', 10)]);
    await waitForEarlierTransactions();
    const first = await list();
    expect(await listIds({ after: afterOf(first) })).toEqual([]);
    await count([ask('late', 5 * 3600), ask('c', 1), ask('tie', 10)]);
    await waitForEarlierTransactions();
    const second = await list({ after: afterOf(first) });
    expect(idsOf(second)).toEqual(['c', 'tie', 'late']);
    expect(await listIds({ after: afterOf(first), model: 'none' })).toEqual([]);
    expect(await listIds({ after: afterOf(second) })).toEqual([]);
  });

  test('is read page by page, and keeps to the key', async () => {
    const first = await list();
    await count(['a', 'b', 'c'].map((id, at) => ask(id, at + 1, { api_key_id: id === 'b' ? OTHER_KEY : API_KEY_ID })));
    const page = await list({ after: afterOf(first), limit: '2' });
    const cursor = encodeGenerationCursor({ ...(page.next === null ? {} : { before: page.next }), since: first.counted });
    expect([idsOf(page), await listIds({ cursor, limit: '2' })]).toEqual([['a', 'b'], ['c']]);
    expect(await listIds({ after: afterOf(first) }, { own: { apiKeyId: OTHER_KEY, userId: null } })).toEqual(['b']);
  });

  test('includes what was being counted, but not seen, when the mark was made', async () => {
    const { pool } = server.database;
    const counting = await pool.connect();
    await counting.query('BEGIN');
    await counting.query('SELECT pg_current_xact_id()');
    await count([ask('quick', 2)]);
    const first = await list();
    await counting.query(
      `INSERT INTO usage_event SELECT gen_random_uuid(), 0, 'x', org_id, 'slow', admitted_at, false,
        (jsonb_set(payload::jsonb, '{request_id}', '"slow"'))::json FROM usage_event`,
    );
    await counting.query('COMMIT');
    counting.release();
    // What a mark cannot distinguish comes again rather than not at all.
    expect(await listIds({ after: afterOf(first) })).toEqual(['slow', 'quick']);
  });

  test('is refused by the mark of another database', async () => {
    const since = { atMs: NOW, mark: 2n ** 50n };
    await expect(list({ after: encodeGenerationCursor({ since }) })).rejects.toMatchObject({
      ...{ code: 'invalid_request', details: { field: 'after' } },
    });
    await expect(list({ after: encodeGenerationCursor({ since: { atMs: 0, mark: 0n } }) })).resolves.toMatchObject({ lines: [] });
  });
});

test('an index serves the list in every partition, those of new databases too', async () => {
  const { rows } = await server.database.pool.query<{ partition: string; indexes: number }>(
    `SELECT child.relname AS partition, (SELECT count(*)::int FROM pg_indexes x WHERE x.tablename = child.relname
        AND x.indexdef LIKE '%USING btree (org_id, admitted_at)') AS indexes
      FROM pg_inherits i JOIN pg_class child ON child.oid = i.inhrelid WHERE i.inhparent = 'usage_event'::regclass`,
  );
  expect(rows.length).toBeGreaterThanOrEqual(2);
  expect(rows.map(({ indexes }) => indexes)).toEqual(rows.map(() => 1));
});

test('names are those of the organization, as far as they are still there', async () => {
  const { prisma, pool } = server.database;
  const { id: organizationId } = await prisma.organization.create({ data: { name: 'Named' } });
  const user = await prisma.userAccount.create({ data: { email: 'ada@example.com' } });
  await prisma.orgMember.create({ data: { organizationId, userId: user.id } });
  const group = await prisma.userGroup.create({ data: { organizationId, name: 'Research' } });
  const labels = await prisma.labelSet.create({ data: { organizationId, kind: 'key', labels: { team: 'red' }, sha256: randomBytes(32) } });
  const event = makeUsageEvent({ org_id: organizationId, user_id: user.id, group_id: group.id, key_label_set_id: labels.id });
  const reader = createGenerationReader(pool);
  const known = { memberEmail: 'ada@example.com', group: 'Research', keyLabels: { team: 'red' } };
  const nothing = { apiKey: null, memberEmail: null, group: null, keyLabels: {}, groupLabels: {} };
  expect(await reader.findNames(event)).toEqual({ ...nothing, ...known });
  expect(await reader.findNames({ ...event, org_id: randomUUID() })).toEqual(nothing);
});
