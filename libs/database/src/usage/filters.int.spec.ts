import { randomBytes, randomUUID } from 'node:crypto';
import type { UsageEvent } from '@weir/contracts';
import { makeUsageEvent, sequenceEvents } from '@weir/testing';
import { DAY_MS, DIMENSIONS, HOUR_MS, parseUsageQuery, type UsageStore } from '@weir/usage';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { createUsageStore } from './create-usage-store';
import { createUsageUpkeep } from './create-usage-upkeep';

const DAY = Date.UTC(2026, 7, 7);
const start = '2026-08-07T00:00:00Z';

let server: TestDatabase;
let store: UsageStore;
let organizationId: string;
let full: Partial<UsageEvent>;
beforeAll(async () => {
  server = await startTestDatabase();
  const { pool, prisma } = server.database;
  const { id } = await prisma.organization.create({ data: { name: 'Acme' } });
  const user = await prisma.userAccount.create({ data: { email: 'ada@example.com' } });
  await prisma.orgMember.create({ data: { organizationId: id, userId: user.id } });
  const group = await prisma.userGroup.create({ data: { organizationId: id, name: 'Research' } });
  const label = async (kind: string, labels: Record<string, string>): Promise<string> =>
    (await prisma.labelSet.create({ data: { organizationId: id, kind, labels, sha256: randomBytes(32) } })).id;
  organizationId = id;
  full = {
    ...{
      user_id: user.id,
      group_id: group.id,
      key_label_set_id: await label('key', { f: 'prod' }),
      group_label_set_id: await label('group', { f: '42' }),
    },
    ...{ end_user_id: 'customer-7', model_requested: 'policy/best', model_used: 'vendor/large', provider_used: 'other', is_byok: true },
    ...{ origin_title: 'Chat, "app"', extra: { f: "re'd" }, api_key_id: randomUUID() },
  };
  store = createUsageStore({ pool, now: () => DAY + 3 * DAY_MS });
  const hours = Array.from({ length: 30 }, (_, hour) => DAY - 2 * HOUR_MS + hour * HOUR_MS + 60_000);
  const build = (more: Partial<UsageEvent>, cost_p: string) =>
    hours.map((admitted_at) => makeUsageEvent({ org_id: id, admitted_at, cost_p, ...more }));
  // Differs from the full one in nothing that the smallest cubes keep.
  const alike = { model_requested: 'policy/best', model_used: 'vendor/large', provider_used: 'other', is_byok: true };
  const events = [
    ...[...build({}, '1000'), ...build(full, '20'), ...build(alike, '400')],
    ...build({ ...full, extra: { f: 'blue' }, model_used: 'vendor/small' }, '3'),
  ];
  expect(await store.applyBatch(sequenceEvents(randomUUID(), events), null)).toMatchObject({ applied: events.length });
});
afterAll(() => server.stop());

type Answer = { readonly requests: number; readonly groups: readonly string[] };

async function ask(more: Record<string, unknown>, end = '2026-08-08T00:00:00Z'): Promise<Answer> {
  const { usage } = await store.readUsage(parseUsageQuery({ start, end, ...more }, { organizationId }));
  const entries = Object.values(usage);
  const groups = entries.flatMap(({ grouped_data }) =>
    (grouped_data ?? []).map(({ group_by_values }) => Object.values(group_by_values).join('|')),
  );
  return { requests: entries.reduce((sum, entry) => sum + entry.total_requests, 0), groups: [...new Set(groups)].sort() };
}

const NAMES = DIMENSIONS.map(({ name, match }) => (match === 'prefix' ? `${name}f` : name));

describe.each(['before', 'after'])('%s cubes are built', (when) => {
  beforeAll(async () => {
    const { pool } = server.database;
    // A new store, so that no result comes from the cache.
    store = createUsageStore({ pool, now: () => DAY + 3 * DAY_MS });
    if (when === 'after') expect((await createUsageUpkeep({ pool, now: () => DAY + 3 * DAY_MS }).buildCubes()).built).toBeGreaterThan(0);
  });

  it.each(NAMES)(
    'filters by %s with the same values as grouping by it, at every resolution and with bounds inside an hour',
    async (name) => {
      for (const resolution of ['hour', 'day', 'month']) {
        for (const end of ['2026-08-08T00:00:00Z', '2026-08-07T23:00:59Z']) {
          const hours = end.startsWith('2026-08-08') ? 24 : 23;
          const { groups } = await ask({ resolution, group_by: name }, end);
          expect(groups.length).toBeGreaterThan(1);
          const counted = [];
          for (const value of groups) {
            const found = await ask({ resolution, group_by: name, [`filter[${name}]`]: value }, end);
            expect(found.groups).toEqual([value]);
            expect((await ask({ resolution, filter: { [name]: [value] } }, end)).requests).toBe(found.requests);
            counted.push(found.requests);
          }
          expect(counted.reduce((sum, one) => sum + one, 0)).toBe(4 * hours);
          // Alternatives of one dimension.
          expect((await ask({ resolution, filter: { [name]: groups } }, end)).requests).toBe(4 * hours);
          expect(
            (await ask({ resolution, filter: { [name]: ['true', 'false'].includes(groups[0] ?? '') ? 'Unknown' : randomUUID() } }, end))
              .requests,
          ).toBe(0);
        }
      }
    },
  );

  it('applies several dimensions all at once, whatever else is grouped by', async () => {
    const both = { 'filter[api_key_label.f]': 'prod', 'filter[extra.f]': ["re'd", 'Unknown'] };
    for (const groupBy of [[], ['model_used'], ['extra.f', 'api_key_id'], ['group_name', 'member_email']]) {
      expect((await ask({ ...both, ...(groupBy.length > 0 ? { group_by: groupBy } : {}) })).requests).toBe(24);
    }
    expect((await ask({ 'filter[group_label.f]': '42', 'filter[model_used]': ['vendor/large', 'vendor/small'] })).requests).toBe(48);
    expect((await ask({ 'filter[group_name]': 'Unknown', 'filter[model_used]': 'vendor/small' })).requests).toBe(0);
    expect((await ask({ 'filter[group_name]': 'Unknown', 'filter[model_used]': 'vendor/large' })).requests).toBe(24);
  });
});

it('follows a group that was renamed: its result is not cached', async () => {
  const { prisma } = server.database;
  const asked = { 'filter[group_name]': 'Research' };
  expect((await ask(asked)).requests).toBe(48);
  await prisma.userGroup.update({ where: { id: full.group_id ?? '' }, data: { name: 'Renamed' } });
  expect((await ask(asked)).requests).toBe(0);
  expect((await ask({ 'filter[group_name]': ['Renamed', 'Research'] })).requests).toBe(48);
});
