import { createDatabase, TENANT_ROLE, type Database } from '@weir/database';
import { getEndpoint } from '@weir/contracts';
import { ENDPOINT_CASES } from './__fixtures__/endpoint-cases';
import { createMaker, type Maker } from './__fixtures__/maker';
import { startManagement, type ManagementHarness, type Organization } from './__fixtures__/start-management';

jest.setTimeout(60_000);

/**
 * What routes log in as here: it may take on the role of tenants, and nothing else. Postgres refuses every
 * statement of a route that was not made for one organization, so a route that succeeds named its organization each time.
 * What has to look at all organizations is not part of a route: finding the calling key, signing in, upkeep, the operator.
 */
const LOGIN = `weir_test_${process.pid}_powerless`;

let harness: ManagementHarness;
let ours: Organization;
let make: Maker;
let powerless: Database;

beforeAll(async () => {
  harness = await startManagement({
    loginOfRoutes: async (url) => {
      const owner = createDatabase({ url });
      await owner.pool.query(`CREATE ROLE ${LOGIN} LOGIN PASSWORD 'x' NOSUPERUSER`);
      await owner.pool.query(`GRANT ${TENANT_ROLE} TO ${LOGIN} WITH INHERIT FALSE`);
      await owner.close();
      const login = Object.assign(new URL(url), { username: LOGIN, password: 'x' }).toString();
      powerless = createDatabase({ url: login, poolMax: 1 });
      return login;
    },
  });
  ours = await harness.seed('ours');
  make = createMaker(harness, ours);
  const theirs = createMaker(harness, await harness.seed('theirs'));
  await Promise.all([theirs.key(), theirs.groupMember(), theirs.credential(), theirs.guardrail(), theirs.limit()]);
});
afterAll(async () => {
  await powerless.close();
  await harness.database.pool.query(`DROP ROLE ${LOGIN}`);
  await harness.stop();
});

it('can detect a violation: no table can be read without naming an organization', async () => {
  const { rows } = await harness.database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  );
  expect(rows.length).toBeGreaterThan(30);
  for (const { name } of rows) await expect(powerless.pool.query(`SELECT FROM "${name}"`)).rejects.toThrow('permission denied');
  await expect(powerless.prisma.apiKey.findMany()).rejects.toThrow(/permission denied/);

  expect(await powerless.asOrganization(ours.id).transact((tx) => tx.apiKey.findMany({}))).toMatchObject([{ id: ours.apiKeyId }]);
});

describe.each(ENDPOINT_CASES.map((given) => [given.id, given] as const))('%s', (id, given) => {
  const row = getEndpoint(id);

  it(`returns ${given.status}, asking Postgres for its own organization alone`, async () => {
    const params = (await given.params?.(make)) ?? {};
    const path = row.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
    // The member to remove is the one that was put there.
    const body: unknown = id === 'remove-group-member' ? { user_id: params['member_id'] } : await given.body?.(make);
    const headers = { 'idempotency-key': `once-${id}` };
    harness.logged.length = 0;

    const options = { key: ours.apiKey, headers, ...(body === undefined ? {} : { body }) };
    const reply = await harness.call(row.method, path + (given.query ?? ''), options);

    expect([reply.status, reply.status < 400 ? '' : reply.text]).toEqual([given.status, given.status < 400 ? '' : expect.any(String)]);
    expect(harness.logged.filter((line) => /permission denied|row-level security/.test(line))).toEqual([]);
  });
});
