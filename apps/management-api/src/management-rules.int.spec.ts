import { createChangeLog } from '@weir/database';
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { request as httpRequest } from 'node:http';
import { createMaker, type Maker } from './__fixtures__/endpoint-cases';
import { startManagement, type ManagementHouse, type Organization, type Reply } from './__fixtures__/start-management';
import { canonicalJson } from './canonical-json';

jest.setTimeout(60_000);

let house: ManagementHouse;
let ours: Organization;
let make: Maker;
let count = 0;

beforeAll(async () => {
  house = await startManagement();
});
beforeEach(async () => {
  house.now = () => Date.now();
  ours = await house.seed(`organization-${(count += 1)}`);
  make = createMaker(house, ours);
});
afterAll(() => house.stop());

const send = (method: string, path: string, body?: unknown): Promise<Reply> => house.call(method, path, { key: ours.apiKey, ...(body === undefined ? {} : { body }) });
const get = async (path: string): Promise<Record<string, any>> => (await send('GET', path)).json;
const useGroupMode = (): Promise<Reply> => send('PATCH', '/v1/manage/org', { budget_mode: 'group' });

/** Whether the key opens anything. */
async function works(key: string): Promise<boolean> {
  return (await house.call('GET', '/v1/manage/apikey/self', { key })).status === 200;
}

async function createKey(body: object = {}): Promise<{ id: string; secret: string }> {
  const { json } = await send('POST', '/v1/manage/apikey', { name: 'a key', ...body });
  return { id: String(json['api_key_id']), secret: String(json['api_key']) };
}

async function changesOf(organization: Organization): Promise<string[]> {
  const changes = await createChangeLog(house.database.pool).changesAfter(0n);
  return changes.filter(({ organizationId }) => organizationId === organization.id).map(({ entity, entityId }) => `${entity} ${entityId}`);
}

describe('API keys', () => {
  it('store neither the secret nor anything it could be found from, in any table', async () => {
    const { id, secret } = await createKey();
    const rotated = String((await send('POST', `/v1/manage/apikey/${id}/rotate`, { overlap_seconds: 60 })).json['api_key']);

    const { rows } = await house.database.pool.query<{ text: string }>(
      'select coalesce(string_agg(k::text, $1), $1) || (select string_agg(a::text, $1) from audit_log a) as text from api_key k',
      [' '],
    );

    for (const shown of [secret, rotated]) {
      expect(rows[0]?.text).not.toContain(shown.slice(14, -6));
      expect(rows[0]?.text).not.toContain(createHash('sha256').update(shown).digest('hex'));
    }
  });

  it('keep a monthly limit exactly as it was typed, and read null and 0 as unlimited', async () => {
    const { id } = await createKey({ monthly_limit: 0.1 });
    const stored = async (): Promise<string | null> => {
      const key = await house.database.prisma.apiKey.findUniqueOrThrow({ where: { id } });
      return key.monthlyLimitPico?.toFixed(0) ?? null;
    };

    expect([await stored(), (await get(`/v1/manage/apikey/${id}`))['key'].monthly_limit]).toEqual(['100000000000', 0.1]);
    for (const unlimited of [null, 0]) {
      await send('POST', `/v1/manage/apikey/${id}/limit`, { monthly_limit: 1e-12 });
      expect(await stored()).toBe('1');
      await send('POST', `/v1/manage/apikey/${id}/limit`, { monthly_limit: unlimited });
      expect([await stored(), (await get(`/v1/manage/apikey/${id}`))['key'].monthly_limit]).toEqual([null, 0]);
    }
  });

  it('list what each spent in this calendar month only', async () => {
    const { id } = await createKey();
    house.now = () => Date.parse('2026-08-31T23:59:59Z');
    await house.database.pool.query(
      `insert into spend_month (scope, scope_id, month, cost_pico, requests, version) values
       ('key', $1, '2026-08-01T00:00:00Z', 1250000000001, 3, 1), ('key', $1, '2026-07-01T00:00:00Z', 9000000000000, 3, 1)`,
      [id],
    );

    const spend = async (): Promise<number> => (await get('/v1/manage/apikey'))['keys'].find((key: { id: string }) => key.id === id).monthly_spend as number;

    expect(await spend()).toBe(1.250000000001);
    house.now = () => Date.parse('2026-09-01T00:00:00Z');
    expect(await spend()).toBe(0);
  });

  it('replace all labels at once, and share equal sets', async () => {
    const [one, two] = [await createKey({ labels: { team: 'red', cost: '7' } }), await createKey()];

    await send('POST', `/v1/manage/apikey/${two.id}/label`, { labels: { cost: '7', team: 'red' } });
    const keys = await house.database.prisma.apiKey.findMany({ where: { id: { in: [one.id, two.id] } } });
    expect(new Set(keys.map(({ labelSetId }) => labelSetId)).size).toBe(1);

    await send('POST', `/v1/manage/apikey/${one.id}/label`, { labels: {} });
    expect((await get(`/v1/manage/apikey/${one.id}`))['key'].labels).toEqual({});
    expect((await get(`/v1/manage/apikey/${two.id}`))['key'].labels).toEqual({ team: 'red', cost: '7' });
  });

  it('rotate under the same id; the old secret works until the overlap ends and not beyond', async () => {
    const { id, secret } = await createKey();

    const second = String((await send('POST', `/v1/manage/apikey/${id}/rotate`, { overlap_seconds: 600 })).json['api_key']);
    expect([await works(secret), await works(second)]).toEqual([true, true]);
    house.now = () => Date.now() + 601_000;
    expect([await works(secret), await works(second)]).toEqual([false, true]);
    house.now = () => Date.now();

    const third = String((await send('POST', `/v1/manage/apikey/${id}/rotate`)).json['api_key']);
    expect([await works(secret), await works(second), await works(third)]).toEqual([false, false, true]);
  });

  it('are refused once they have expired', async () => {
    const { id, secret } = await createKey();

    await send('POST', `/v1/manage/apikey/${id}/expiry`, { expires_at: new Date(Date.now() + 60_000).toISOString() });
    expect(await works(secret)).toBe(true);
    house.now = () => Date.now() + 61_000;
    expect(await works(secret)).toBe(false);
  });

  it('are gone for good once revoked: not listed, not usable, not changeable, and revoking again is no error', async () => {
    const { id, secret } = await createKey();

    expect((await send('DELETE', `/v1/manage/apikey/${id}`)).status).toBe(204);

    expect(await works(secret)).toBe(false);
    expect((await get('/v1/manage/apikey'))['keys'].map((key: { id: string }) => key.id)).toEqual([ours.apiKeyId]);
    expect((await get(`/v1/manage/apikey/${id}`))['key'].status).toBe('revoked');
    expect((await send('POST', `/v1/manage/apikey/${id}/limit`, { monthly_limit: 1 })).status).toBe(409);
    expect((await send('POST', `/v1/manage/apikey/${id}/rotate`)).status).toBe(409);
    expect((await send('DELETE', `/v1/manage/apikey/${id}`)).status).toBe(204);
  });

  it.each(['group_id', 'access_list_id'])('cannot be tied to a %s of another organization', async (field) => {
    const elsewhere = createMaker(house, await house.seed(`elsewhere-${count}-${field}`));
    const foreign = field === 'group_id' ? await elsewhere.group() : await elsewhere.list();
    const { id } = await createKey();

    expect((await send('POST', '/v1/manage/apikey', { name: 'x', [field]: foreign })).status).toBe(404);
    expect((await send('POST', `/v1/manage/apikey/${id}/${field === 'group_id' ? 'group' : 'access-list'}`, { [field]: foreign })).status).toBe(404);
  });
});

describe('access lists', () => {
  it('change only what is included; an included array replaces the stored one, without repetitions', async () => {
    const id = await make.list();

    await send('PATCH', `/v1/manage/access-list/${id}`, { chat: ['x/y', 'a/*', 'x/y'], auto_approve: true });

    const { access_list: list } = await get(`/v1/manage/access-list/${id}`);
    expect(list).toEqual({ id, name: 'list 1', organization_id: ours.id, auto_approve: true, chat: ['x/y', 'a/*'], embedding: [], image: [], transcription: [], speech: [] });
  });

  it('cannot be deleted while a key or a group has them', async () => {
    const [id, key, group] = [await make.list(), await make.key(), await make.group()];
    await send('POST', `/v1/manage/apikey/${key}/access-list`, { access_list_id: id });
    await send('POST', `/v1/manage/group/${group}/access-list`, { access_list_id: id });

    const attached = await send('DELETE', `/v1/manage/access-list/${id}`);
    expect([attached.status, attached.json]).toEqual([409, { error: { message: expect.stringContaining('1 API keys and 1 groups') as string } }]);
    await send('POST', `/v1/manage/group/${group}/access-list`, { access_list_id: null });
    expect((await send('DELETE', `/v1/manage/access-list/${id}`)).status).toBe(409);
    await send('DELETE', `/v1/manage/apikey/${key}`); // what is revoked holds nothing

    expect((await send('DELETE', `/v1/manage/access-list/${id}`)).status).toBe(204);
    expect((await send('GET', `/v1/manage/access-list/${id}`)).status).toBe(404);
  });
});

describe('groups', () => {
  it('have budgets in group mode: the limit of their creation is then their total', async () => {
    await useGroupMode();
    const { group, member } = await make.groupMember();

    expect((await send('POST', `/v1/manage/group/${group}/budget/user`, { monthly_budget_per_user: 2.5 })).status).toBe(204);
    const overridden = await send('PUT', `/v1/manage/group/${group}/member/${member}/budget`, { monthly_budget: 4 });

    expect(overridden.json['group']).toMatchObject({ monthly_budget: 10, monthly_budget_per_user: 2.5, members: [{ id: member, monthly_budget: 4 }] });
    expect(overridden.json['group']).not.toHaveProperty('monthly_limit');
    expect((await send('POST', `/v1/manage/group/${group}/budget`, { monthly_budget: 20 })).status).toBe(204);
    expect((await get('/v1/manage/group'))['groups']).toMatchObject([{ id: group, monthly_budget: 20, members_count: 1 }]);
  });

  it('list members and what each spent in the group', async () => {
    const { group, member } = await make.groupMember();
    await house.database.pool.query(
      `insert into spend_month (scope, scope_id, month, cost_pico, requests, version) values
       ('group', $1, date_trunc('month', now(), 'UTC'), 3000000000000, 1, 1), ('group_member', $2, date_trunc('month', now(), 'UTC'), 2000000000000, 1, 1)`,
      [group, `${group}/${member}`],
    );

    expect((await get('/v1/manage/group'))['groups']).toMatchObject([
      { id: group, organization_id: ours.id, members_count: 1, monthly_spend: 3, created_by: ours.userId, monthly_limit: 10, created_at: expect.stringMatching(/^\d{4}-.*Z$/) as string },
    ]);
    expect((await get(`/v1/manage/group/${group}`))['group'].members).toMatchObject([{ id: member, role: 'member', monthly_spend: 2, active: true }]);
  });

  it('take only members of the organization, and names that are free', async () => {
    const { group } = await make.groupMember();
    const stranger = await createMaker(house, await house.seed(`strangers-${count}`)).member();

    expect((await send('POST', `/v1/manage/group/${group}/member`, { user_id: stranger, role: 'member' })).status).toBe(404);
    expect((await send('POST', `/v1/manage/group/${group}/member`, { user_id: 'somebody', role: 'member' })).status).toBe(404);
    expect((await send('POST', '/v1/manage/group', { name: 'group 1', monthly_limit: 1 })).status).toBe(409);
  });

  it('cannot be deleted while keys are in them', async () => {
    const group = await make.group();
    const key = await make.key({ group_id: group });

    expect((await send('DELETE', `/v1/manage/group/${group}`)).status).toBe(409);
    await send('POST', `/v1/manage/apikey/${key}/group`, { group_id: null });

    expect((await send('DELETE', `/v1/manage/group/${group}`)).status).toBe(204);
    expect((await send('GET', `/v1/manage/group/${group}`)).status).toBe(404);
  });
});

describe('offboarding', () => {
  it('kills every key the member made, takes them out of all groups, and tells the identity provider', async () => {
    const { group, member } = await make.groupMember();
    const { id, secret } = await createKey();
    const mine = await createKey();
    await house.database.prisma.apiKey.update({ where: { id }, data: { createdBy: member } });
    const before = (await changesOf(ours)).length;

    expect((await send('DELETE', `/v1/manage/org/member/${member}`)).status).toBe(200);

    expect([await works(secret), await works(mine.secret)]).toEqual([false, true]);
    expect((await get(`/v1/manage/group/${group}`))['group'].members).toEqual([]);
    expect((await get('/v1/manage/org/member'))['members'].map((one: { user_id: string }) => one.user_id)).toEqual([ours.userId]);
    expect((await changesOf(ours)).slice(before)).toEqual([`api-key ${id}`, `group ${group}`]);
    expect(house.identityProvider.removed.at(-1)).toContain(ours.apiKey.slice(-6).toLowerCase());
  });

  it('answers 502 when the identity provider fails, with the keys dead already, and finishes on a retry', async () => {
    const member = await make.member();
    const { id, secret } = await createKey();
    await house.database.prisma.apiKey.update({ where: { id }, data: { createdBy: member } });
    house.identityProvider.isDown = true;

    const failed = await send('DELETE', `/v1/manage/org/member/${member}`);
    house.identityProvider.isDown = false;

    expect([failed.status, failed.json['error'].origin, await works(secret)]).toEqual([502, 'provider', false]);
    const told = house.identityProvider.removed.length;
    expect((await send('DELETE', `/v1/manage/org/member/${member}`)).status).toBe(200);
    expect(house.identityProvider.removed).toHaveLength(told + 1);
  });

  it('is 200 for whoever is no member', async () => {
    const elsewhere = await house.seed(`others-${count}`);

    for (const id of [elsewhere.userId, '00000000-0000-4000-8000-000000000000', 'nobody']) {
      expect((await send('DELETE', `/v1/manage/org/member/${id}`)).status).toBe(200);
    }
    expect(await works(elsewhere.apiKey)).toBe(true);
  });
});

describe('every change', () => {
  it('is in the change log and tells the other processes; a refused one is and does neither', async () => {
    let notices = 0;
    const end = await house.notices.subscribe(() => (notices += 1));
    const key = await make.key();
    const group = await make.group();
    const list = await make.list();
    await send('PATCH', '/v1/manage/org', { zero_data_retention: true });
    await send('PATCH', '/v1/manage/org', { surprise: true });
    await send('POST', `/v1/manage/group/${group}/budget`, { monthly_budget: 1 });
    await end();

    expect((await changesOf(ours)).slice(1)).toEqual([`api-key ${key}`, `group ${group}`, `access-list ${list}`, `organization ${ours.id}`]);
    expect(notices).toBe(4);
  });

  it('is in the audit log with who, what, before and after, newest first, page by page', async () => {
    const key = await make.key({ monthly_limit: 5 });
    await send('POST', `/v1/manage/apikey/${key}/limit`, { monthly_limit: 7.5 });

    const first = await get('/v1/manage/audit?limit=1');
    expect(first['audit']).toMatchObject([
      {
        action: 'set-api-key-limit',
        actor: { kind: 'api-key', id: ours.apiKeyId },
        target: { kind: 'api-key', id: key },
        before: { monthly_limit: '5' },
        after: { monthly_limit: '7.5' },
      },
    ]);
    const second = await get(`/v1/manage/audit?before=${String(first['next'])}`);
    expect([second['audit'].map((row: { action: string }) => row.action), second['next']]).toEqual([['create-api-key'], null]);
  });

  it('covers the audit row before it, also when many come at once, so that a row that was touched shows', async () => {
    await Promise.all(Array.from({ length: 6 }, () => make.key()));

    const rows = await house.database.prisma.auditLog.findMany({ where: { organizationId: ours.id }, orderBy: { sequence: 'asc' } });
    expect(rows).toHaveLength(6);
    let previous: Uint8Array | null = null;
    for (const { hash, previousHash, sequence: _, at, ...row } of rows) {
      expect(Buffer.from(previousHash ?? [])).toEqual(Buffer.from(previous ?? []));
      const expected = createHash('sha256').update(previous ?? Buffer.alloc(0));
      expect(Buffer.from(hash ?? [])).toEqual(expected.update(canonicalJson({ ...row, at: at.toISOString() })).digest());
      previous = hash;
    }
  });
});

describe('the interface', () => {
  it('shows the organization’s settings as they were set', async () => {
    const settings = { budget_mode: 'group', data_residency: 'eu', zero_data_retention: true, tier: 'paying', limits_unavailable: 'deny', clamp_to_limit: true, charge_failed_attempts: true };
    await send('PATCH', '/v1/manage/org', { ...settings, approved_models: { chat: ['a/*'] } });

    const { organization } = await get('/v1/manage/org');

    expect(organization).toEqual({ id: ours.id, name: expect.any(String) as string, ...settings, approved_models: { chat: ['a/*'], embedding: [], image: [], transcription: [], speech: [] } });
    await send('PATCH', '/v1/manage/org', { approved_models: null, data_residency: null });
    expect((await get('/v1/manage/org'))['organization']).toMatchObject({ ...settings, approved_models: null, data_residency: null });
  });

  it('takes usage parameters from a JSON body of a GET as well', async () => {
    const { id } = await createKey();
    const path = `/v1/manage/apikey/${id}/usage`;
    const body = JSON.stringify({ start: '2026-01-01T00:00:00Z', group_by: ['model_used'] });

    expect(await rawGet(path, { body })).toMatchObject({ status: 200, text: expect.stringContaining('"usage":{}') as string });
    expect(await rawGet(path, { body: '{"start":"yesterday"}' })).toMatchObject({ status: 400 });
  });

  it('sends gzip to whoever asks for it, and only to them', async () => {
    const zipped = await rawGet('/v1/manage/apikey', { headers: { 'accept-encoding': 'gzip' } });
    const plain = await rawGet('/v1/manage/apikey', {});

    expect([zipped.encoding, plain.encoding]).toEqual(['gzip', undefined]);
    expect(JSON.parse(gunzipSync(zipped.bytes).toString())).toEqual(JSON.parse(plain.text));
  });

  it('refuses a body that is not JSON with 415, and one that is too large with 413', async () => {
    const form = await house.call('POST', '/v1/manage/group', { key: ours.apiKey, body: 'name=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    const large = await house.call('POST', '/v1/manage/group', { key: ours.apiKey, body: JSON.stringify({ name: 'x'.repeat(5_000_000) }) });

    expect([form.status, large.status]).toEqual([415, 413]);
  });

  /** fetch cannot send a body with GET, and always asks for gzip. */
  function rawGet(path: string, { body, headers = {} }: { body?: string; headers?: Record<string, string> }): Promise<{ status: number; encoding: string | undefined; bytes: Buffer; text: string }> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = httpRequest(house.url + path, { headers: { authorization: `Bearer ${ours.apiKey}`, ...length, ...headers } }, (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({ status: reply.statusCode ?? 0, encoding: reply.headers['content-encoding'], bytes, text: bytes.toString() });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
});
