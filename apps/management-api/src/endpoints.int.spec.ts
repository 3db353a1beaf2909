import { ENDPOINTS, getEndpoint, type EndpointRow } from '@weir/contracts';
import type { EndpointCase } from './__fixtures__/endpoint-case';
import { ENDPOINT_CASES } from './__fixtures__/endpoint-cases';
import { createMaker, type Maker } from './__fixtures__/maker';
import { startManagement, type ManagementHarness, type Organization, type Reply } from './__fixtures__/start-management';

jest.setTimeout(60_000);

/** What they name is there for all, or need not be there. */
const OF_NO_ORGANIZATION = new Set(['offboard-member', 'scim-read-resource-type', 'scim-read-schema']);

let harness: ManagementHarness;
let ours: Organization;
let make: Maker;
let makeElsewhere: Maker;
let powerless: string;
let readOnly: string;

beforeAll(async () => {
  harness = await startManagement();
  ours = await harness.seed('ours');
  make = createMaker(harness, ours);
  makeElsewhere = createMaker(harness, await harness.seed('elsewhere'));
  powerless = await createKey({ manage: 'none', completions: 'write' });
  readOnly = await createKey({ manage: 'read' });
});
afterAll(() => harness.stop());

async function createKey(permissions: object): Promise<string> {
  const reply = await harness.call('POST', '/v1/manage/apikey', { key: ours.apiKey, body: { name: 'some key', permissions } });
  return String(reply.json['api_key']);
}

function fill(row: EndpointRow, params: Record<string, string>): string {
  return row.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '00000000-0000-4000-8000-000000000000');
}

async function request(
  given: EndpointCase,
  options: { key: string | null; params?: Record<string, string>; body?: unknown; query?: string },
): Promise<Reply> {
  const row = getEndpoint(given.id);
  return harness.call(row.method, fill(row, options.params ?? {}) + (options.query ?? given.query ?? ''), options);
}

async function bodyOf(given: EndpointCase, params: Record<string, string>): Promise<{ body?: unknown }> {
  // The member to remove is the one that was put there.
  if (given.id === 'remove-group-member') return { body: { user_id: params['member_id'] } };
  return given.body === undefined ? {} : { body: await given.body(make) };
}

function expectRefusal(reply: Reply, row: EndpointRow, status: number): void {
  expect(reply.status).toBe(status);
  expect(reply.headers.get('content-type')).toBe(row.errorDialect === 'scim' ? 'application/scim+json' : 'application/json; charset=utf-8');
  expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  const message: unknown = expect.any(String);
  if (row.errorDialect === 'scim')
    expect(reply.json).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status), detail: message });
  else if (row.errorDialect === 'access-list') expect(reply.json).toEqual({ error: { message } });
  else expect(reply.json).toMatchObject({ error: { origin: 'router', message, code: message, request_id: message } });
}

it('has a case here for every management endpoint of the endpoint table', () => {
  const rows = (ENDPOINTS as readonly EndpointRow[]).filter(({ service }) => service === 'management-api');

  expect(ENDPOINT_CASES.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort());
});

it('has something to refuse with 400 for everything that takes a body or can grow', () => {
  const trusting = ENDPOINT_CASES.filter(({ id, refused = [], query }) => {
    const { method } = getEndpoint(id);
    return refused.length === 0 && (method !== 'GET' || query !== undefined || id.startsWith('list-'));
  });

  expect(trusting.map(({ id }) => id)).toEqual([]);
});

describe.each(ENDPOINT_CASES.map((given) => [given.id, given] as const))('%s', (id, given) => {
  const row = getEndpoint(id);

  it(`returns ${given.status} for a valid request`, async () => {
    const params = (await given.params?.(make)) ?? {};

    const reply = await request(given, { key: ours.apiKey, params, ...(await bodyOf(given, params)) });

    expect([reply.status, reply.text]).toEqual([given.status, given.status === 204 ? '' : expect.any(String)]);
    if (given.status === 409) expectRefusal(reply, row, 409);
    if (given.response !== undefined) expect(reply.json).toMatchObject(given.response);
  });

  it('returns 401 without a key and 403 for an unknown key', async () => {
    expectRefusal(await request(given, { key: null }), row, 401);
    expectRefusal(await request(given, { key: 'weir_test_000000000000000000000000000000000000' }), row, 403);
  });

  it('returns 403 for a key without the permission', async () => {
    const reply = await request(given, { key: powerless });

    if (row.permission.kind === 'key') expect([200, 400]).toContain(reply.status);
    else expectRefusal(reply, row, 403);
    if (row.permission.kind === 'manage' && row.permission.level === 'write')
      expectRefusal(await request(given, { key: readOnly, body: {} }), row, 403);
    else if (row.method === 'GET' && row.path.includes(':') === false) expect((await request(given, { key: readOnly })).status).toBe(200);
  });

  for (const refused of given.refused ?? []) {
    it(`returns 400 for ${JSON.stringify(refused)}, naming the field`, async () => {
      const params = (await given.params?.(make)) ?? {};

      const reply = await request(given, { key: ours.apiKey, params, ...refused });

      expectRefusal(reply, row, 400);
      const message = row.errorDialect === 'scim' ? reply.json.detail : reply.json['error'].message;
      if (refused.field !== undefined) expect(message).toContain(`\`${refused.field}\``);
    });
  }

  if (row.path.includes(':') && !OF_NO_ORGANIZATION.has(id)) {
    it('returns 404 for what belongs to another organization, and for what does not exist', async () => {
      const params = (await given.params?.(makeElsewhere)) ?? {};
      const options = { key: ours.apiKey, ...(await bodyOf(given, params)) };

      expectRefusal(await request(given, { ...options, params }), row, 404);
      expectRefusal(await request(given, { ...options, params: {} }), row, 404);
      expectRefusal(await request(given, { ...options, params: { ...params, id: 'no-id', name: 'no-name' } }), row, 404);
    });
  }

  for (const [index, prepare] of (given.foreign ?? []).entries()) {
    it(`returns 404 when the body names what belongs to another organization (${index + 1})`, async () => {
      expectRefusal(await request(given, { key: ours.apiKey, ...(await prepare(make, makeElsewhere)) }), row, 404);
    });
  }

  for (const [index, prepare] of (given.conflicts ?? []).entries()) {
    it(`returns 409 for what conflicts with the present state (${index + 1})`, async () => {
      expectRefusal(await request(given, { key: ours.apiKey, ...(await prepare(make)) }), row, 409);
    });
  }
});
