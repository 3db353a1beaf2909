import { createDataKeyStore, keepContents } from '@weir/database';
import { createKeyRing, createVault } from '@weir/sealing';
import { createPeopleMaker } from './__fixtures__/people';
import { SEALING_KEY, type Reply } from './__fixtures__/start-management';
import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const DAY_MS = 86_400_000;
const suite = useManagement();
const people = createPeopleMaker(suite);

const read = (key: string, requestId: string): Promise<Reply> =>
  suite.harness.call('GET', `/v1/manage/generation/${requestId}/content`, { key });
const setDays = (days: number | null, more: object = {}): Promise<Reply> =>
  suite.send('PATCH', '/v1/manage/org', { keep_contents_days: days, ...more });

async function keyReading(of: object = {}): Promise<{ id: string; secret: string }> {
  return suite.createKey({ permissions: { contents: 'read' }, ...of });
}

describe('contents of a request', () => {
  it('are returned as they were sent, for as long as the organization says, and no longer', async () => {
    const startMs = Date.now();
    suite.harness.now = () => startMs;
    const id = await suite.make.keptRequest();

    const reply = await read(suite.ours.apiKey, id);

    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      request: { body: '{"model":"sandbox/chat"}', is_cut: false },
      response: { body: '{"id":"1"}', is_cut: false, status: 200, content_type: 'application/json' },
      kept_until: new Date(startMs + 7 * DAY_MS).toISOString(),
    });
    expect(reply.headers.get('cache-control')).toBe('no-store');
    suite.harness.now = () => startMs + 7 * DAY_MS - 1000;
    expect((await read(suite.ours.apiKey, id)).status).toBe(200);
    suite.harness.now = () => startMs + 7 * DAY_MS;
    const late = await read(suite.ours.apiKey, id);
    expect([late.status, late.json.error.message]).toEqual([404, expect.stringContaining('No contents of this request are kept')]);
  });

  it('are there no more when the organization keeps none, fewer days, or comes under zero retention', async () => {
    const startMs = Date.now();
    const id = await suite.make.keptRequest();
    const statusOf = async (): Promise<number> => (await read(suite.ours.apiKey, id)).status;

    await setDays(null);
    expect(await statusOf()).toBe(404);
    await setDays(30);
    expect(await statusOf()).toBe(200);
    await setDays(30, { zero_data_retention: true });
    expect(await statusOf()).toBe(404);
    await setDays(2, { zero_data_retention: false });
    suite.harness.now = () => startMs + 3 * DAY_MS;
    expect(await statusOf()).toBe(404);
  });

  it('are for keys with the permission only, whatever else they may do', async () => {
    const id = await suite.make.keptRequest();
    const administrator = await suite.createKey({ permissions: { manage: 'write', completions: 'write' } });

    const refused = await read(administrator.secret, id);

    expect([refused.status, refused.json.error.message]).toEqual([403, expect.stringContaining('"contents: read"')]);
    expect((await read((await keyReading({ permissions: { contents: 'read', completions: 'none' } })).secret, id)).status).toBe(200);
  });

  it('are of administrators’ keys that manage all, of others their own and those of their member, and never those of another organization', async () => {
    const { member, id: group } = await people.team();
    const ofMember = await keyReading({ member_id: member.userId, group_id: group });
    const [theirs, someone] = [
      await suite.make.keptRequest({ apiKeyId: member.apiKeyId, userId: member.userId }),
      await suite.make.keptRequest({ apiKeyId: suite.ours.apiKeyId, userId: suite.ours.userId }),
    ];

    expect((await read(ofMember.secret, theirs)).status).toBe(200);
    expect((await read(ofMember.secret, someone)).status).toBe(404);
    expect((await read(suite.ours.apiKey, theirs)).status).toBe(200);
    expect((await read((await keyReading()).secret, theirs)).status).toBe(404);
    const other = await suite.seedOther();
    const [elsewhere, unknown] = [await read(other.apiKey, theirs), await read(other.apiKey, 'no-such-request')];
    expect([elsewhere.status, elsewhere.json.error.message]).toEqual([404, unknown.json.error.message]);
  });

  it('leave a line in the audit log for each reading, and none where nothing was shown', async () => {
    const id = await suite.make.keptRequest();
    await read(suite.ours.apiKey, id);
    await read(suite.ours.apiKey, 'no-such-request');

    const { audit } = await suite.get('/v1/manage/audit');

    const lines = audit.filter(({ action }) => action === 'read-contents');
    expect(lines).toMatchObject([
      { actor: { kind: 'api-key', id: suite.ours.apiKeyId }, target: { kind: 'request', id }, after: { api_key_id: suite.ours.apiKeyId } },
    ]);
    expect(JSON.stringify(lines)).not.toContain('sandbox/chat');
  });

  it('are sealed in the database', async () => {
    await suite.make.keptRequest();

    const { rows } = await suite.harness.database.pool.query<{ sealed: Buffer }>('SELECT sealed FROM request_content');

    expect(rows.length).toBeGreaterThan(0);
    for (const { sealed } of rows) expect(sealed.toString('latin1')).not.toMatch(/sandbox|model/);
  });

  it('do not open for another organization, even where Postgres would show the row', async () => {
    const id = await suite.make.keptRequest();
    const other = await suite.seedOther();
    const { pool } = suite.harness.database;
    const vault = createVault({ keyRing: createKeyRing(SEALING_KEY), store: createDataKeyStore(pool) });
    await suite.harness.call('PATCH', '/v1/manage/org', { key: other.apiKey, body: { keep_contents_days: 7 } });
    const part = { body: '', isCut: false };
    const own = { organizationId: other.id, requestId: id, apiKeyId: other.apiKeyId, userId: null, receivedAtMs: Date.now(), days: 7 };
    await keepContents({ pool, vault }, [{ ...own, contents: { request: part, response: { ...part, status: 200, contentType: null } } }]);
    await pool.query(
      'UPDATE request_content t SET sealed = o.sealed FROM request_content o WHERE o.organization_id = $1 AND t.organization_id = $2 AND o.request_id = t.request_id',
      [suite.ours.id, other.id],
    );

    expect((await read(other.apiKey, id)).status).toBe(500);
  });
});

describe('the permission to read contents', () => {
  const permissionsOf = async (id: string): Promise<unknown> => (await suite.get(`/v1/manage/apikey/${id}`)).key['permissions'];

  it('is given by administrators of the organization alone, is none unless asked for, and stays with rotation', async () => {
    const plain = await suite.createKey({ permissions: { manage: 'write' } });
    expect(await permissionsOf(plain.id)).toEqual({ manage: 'write', completions: 'write', contents: 'none' });
    const reading = await keyReading();
    expect(await permissionsOf(reading.id)).toEqual({ manage: 'none', completions: 'write', contents: 'read' });

    const { member, admin, id: group } = await people.team();
    for (const { apiKey } of [member, admin]) {
      const body = { name: 'more', group_id: group, permissions: { contents: 'read' } };
      const refused = await suite.harness.call('POST', '/v1/manage/apikey', { key: apiKey, body });
      expect([refused.status, refused.json.error.message]).toEqual([403, expect.stringContaining('permissions.contents')]);
    }

    const rotated = await suite.send('POST', `/v1/manage/apikey/${reading.id}/rotate`, {});
    const id = await suite.make.keptRequest();
    expect((await read(String(rotated.json['api_key']), id)).status).toBe(200);
    const { audit } = await suite.get('/v1/manage/audit');
    expect(audit.find(({ action, target }) => action === 'create-api-key' && (target as { id: string }).id === reading.id)).toMatchObject({
      after: { permissions: { contents: 'read' } },
    });
  });

  it('is not to be had by rotating a key that has it', async () => {
    const { member, admin, id: group } = await people.team();
    const reading = await keyReading({ member_id: member.userId, group_id: group });

    for (const { apiKey } of [member, admin]) {
      const refused = await suite.harness.call('POST', `/v1/manage/apikey/${reading.id}/rotate`, { key: apiKey, body: {} });
      expect([refused.status, refused.json.error.message]).toEqual([403, expect.stringContaining('"contents: none"')]);
    }
  });
});
