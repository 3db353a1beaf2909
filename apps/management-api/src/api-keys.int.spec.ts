import { createHash } from 'node:crypto';
import { digestApiKey } from '@weir/access';
import { createKeyDirectory } from '@weir/database';
import { waitUntil } from '@weir/testing';
import { createMaker } from './__fixtures__/maker';
import { PEPPER } from './__fixtures__/start-management';
import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const suite = useManagement();

describe('API keys', () => {
  it('store neither the secret nor anything it could be found from, in any table', async () => {
    const { id, secret } = await suite.createKey();
    const rotated = String((await suite.send('POST', `/v1/manage/apikey/${id}/rotate`, { overlap_seconds: 60 })).json['api_key']);

    const { rows } = await suite.harness.database.pool.query<{ text: string }>(
      'select coalesce(string_agg(k::text, $1), $1) || (select string_agg(a::text, $1) from audit_log a) as text from api_key k',
      [' '],
    );

    for (const shown of [secret, rotated]) {
      expect(rows[0]?.text).not.toContain(shown.slice(14, -6));
      expect(rows[0]?.text).not.toContain(createHash('sha256').update(shown).digest('hex'));
    }
  });

  it('keep a monthly limit exactly as it was typed, and read null and 0 as unlimited', async () => {
    const { id } = await suite.createKey({ monthly_limit: 0.1 });
    const stored = async (): Promise<string | null> => {
      const key = await suite.harness.database.prisma.apiKey.findUniqueOrThrow({ where: { id } });
      return key.monthlyLimitPico?.toFixed(0) ?? null;
    };

    expect([await stored(), (await suite.get(`/v1/manage/apikey/${id}`))['key']['monthly_limit']]).toEqual(['100000000000', 0.1]);
    for (const unlimited of [null, 0]) {
      await suite.send('POST', `/v1/manage/apikey/${id}/limit`, { monthly_limit: 1e-12 });
      expect(await stored()).toBe('1');
      await suite.send('POST', `/v1/manage/apikey/${id}/limit`, { monthly_limit: unlimited });
      expect([await stored(), (await suite.get(`/v1/manage/apikey/${id}`))['key']['monthly_limit']]).toEqual([null, 0]);
    }
  });

  it('have a priority and a share, which change one by one, are audited and are what admission reads', async () => {
    const { id, secret } = await suite.createKey();
    const read = async (): Promise<unknown> => {
      const { priority, share } = (await suite.get(`/v1/manage/apikey/${id}`))['key'];
      return [priority, share];
    };
    expect(await read()).toEqual(['normal', 1]);
    for (const [body, expected] of [
      [{ priority: 'high' }, ['high', 1]],
      [{ share: 100 }, ['high', 100]],
      [{ priority: 'low', share: 7 }, ['low', 7]],
    ] as const) {
      expect((await suite.send('POST', `/v1/manage/apikey/${id}/priority`, body)).status).toBe(204);
      expect(await read()).toEqual(expected);
    }
    const made = await suite.createKey({ priority: 'high', share: 3 });
    expect((await suite.get(`/v1/manage/apikey/${made.id}`))['key']).toMatchObject({ priority: 'high', share: 3 });

    const lines = await suite.harness.database.prisma.auditLog.findMany({ where: { targetId: id, action: 'set-api-key-priority' } });
    expect(lines.map(({ after }) => after)).toEqual([
      expect.objectContaining({ priority: 'high', share: 1 }),
      expect.objectContaining({ priority: 'high', share: 100 }),
      expect.objectContaining({ priority: 'low', share: 7 }),
    ]);
    const record = await createKeyDirectory(suite.harness.database.pool).findByDigest(digestApiKey(secret, PEPPER));
    expect(record).toMatchObject({ priority: 'low', share: 7, organization: { share: 1 } });
  });

  it('show when usage of each was last counted', async () => {
    const { id } = await suite.createKey();
    const lastUsed = async (): Promise<unknown> => (await suite.get(`/v1/manage/apikey/${id}`))['key']['last_used_at'];

    expect(await lastUsed()).toBeNull();
    await suite.harness.database.pool.query(
      `insert into spend_month (scope, scope_id, month, cost_pico, requests, version, updated_at) values
       ('key', $1, '2026-08-01T00:00:00Z', 0, 1, 1, '2026-08-07T12:00:00.5Z'), ('key', $1, '2026-07-01T00:00:00Z', 1, 1, 1, '2026-07-31T12:00:00Z')`,
      [id],
    );
    expect(await lastUsed()).toBe('2026-08-07T12:00:00.500Z');
  });

  it('list what each spent in this calendar month only', async () => {
    const { id } = await suite.createKey();
    suite.harness.now = () => Date.parse('2026-08-31T23:59:59Z');
    await suite.harness.database.pool.query(
      `insert into spend_month (scope, scope_id, month, cost_pico, requests, version) values
       ('key', $1, '2026-08-01T00:00:00Z', 1250000000001, 3, 1), ('key', $1, '2026-07-01T00:00:00Z', 9000000000000, 3, 1)`,
      [id],
    );

    const spend = async (): Promise<number> =>
      (await suite.get('/v1/manage/apikey'))['keys'].find((key) => key['id'] === id)?.['monthly_spend'] as number;

    expect(await spend()).toBe(1.250000000001);
    suite.harness.now = () => Date.parse('2026-09-01T00:00:00Z');
    expect(await spend()).toBe(0);
  });

  it('replace all labels at once, and share equal sets', async () => {
    const [one, two] = [await suite.createKey({ labels: { team: 'red', cost: '7' } }), await suite.createKey()];

    await suite.send('POST', `/v1/manage/apikey/${two.id}/label`, { labels: { cost: '7', team: 'red' } });
    const keys = await suite.harness.database.prisma.apiKey.findMany({ where: { id: { in: [one.id, two.id] } } });
    expect(new Set(keys.map(({ labelSetId }) => labelSetId)).size).toBe(1);

    await suite.send('POST', `/v1/manage/apikey/${one.id}/label`, { labels: {} });
    expect((await suite.get(`/v1/manage/apikey/${one.id}`))['key']['labels']).toEqual({});
    expect((await suite.get(`/v1/manage/apikey/${two.id}`))['key']['labels']).toEqual({ team: 'red', cost: '7' });
  });

  it('rotate under the same id; the old secret works until the overlap ends and not beyond', async () => {
    const { id, secret } = await suite.createKey();

    const second = String((await suite.send('POST', `/v1/manage/apikey/${id}/rotate`, { overlap_seconds: 600 })).json['api_key']);
    expect([await suite.works(secret), await suite.works(second)]).toEqual([true, true]);
    suite.harness.now = () => Date.now() + 601_000;
    expect([await suite.works(secret), await suite.works(second)]).toEqual([false, true]);
    suite.harness.now = () => Date.now();

    const third = String((await suite.send('POST', `/v1/manage/apikey/${id}/rotate`)).json['api_key']);
    expect([await suite.works(secret), await suite.works(second), await suite.works(third)]).toEqual([false, false, true]);
  });

  it('are refused once they have expired', async () => {
    const { id, secret } = await suite.createKey();

    await suite.send('POST', `/v1/manage/apikey/${id}/expiry`, { expires_at: new Date(Date.now() + 60_000).toISOString() });
    expect(await suite.works(secret)).toBe(true);
    suite.harness.now = () => Date.now() + 61_000;
    expect(await suite.works(secret)).toBe(false);
  });

  it('are refused in a group that is deleted at this moment, as in one that never was', async () => {
    const group = await suite.make.group();
    const deleting = await suite.harness.database.pool.connect();
    await deleting.query('BEGIN');
    await deleting.query('DELETE FROM user_group WHERE id = $1', [group]);
    const asked = suite.send('POST', '/v1/manage/apikey', { name: 'late', group_id: group });
    await waitUntil('the key waits for what becomes of its group', async () => {
      const { rows } = await suite.harness.database.pool.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    });
    await deleting.query('COMMIT');
    deleting.release();

    const { status, json } = await asked;

    expect({ status, json }).toMatchObject({ status: 404, json: { error: { code: 'not_found' } } });
  });

  it('are gone for good once revoked: not listed, not usable, not changeable, and revoking again is no error', async () => {
    const { id, secret } = await suite.createKey();

    expect((await suite.send('DELETE', `/v1/manage/apikey/${id}`)).status).toBe(204);

    expect(await suite.works(secret)).toBe(false);
    expect((await suite.get('/v1/manage/apikey'))['keys'].map((key) => key['id'])).toEqual([suite.ours.apiKeyId]);
    const listed = async (query: string) => (await suite.get(`/v1/manage/apikey?${query}`))['keys'].map((key) => key['id']);
    expect([await listed('state=revoked'), await listed('state=active')]).toEqual([[id], [suite.ours.apiKeyId]]);
    expect((await listed('state=all')).sort()).toEqual([id, suite.ours.apiKeyId].sort());
    expect(await listed('state=all&limit=1')).toHaveLength(1);
    expect((await suite.send('GET', '/v1/manage/apikey?state=gone')).status).toBe(400);
    expect((await suite.get(`/v1/manage/apikey/${id}`))['key']['status']).toBe('revoked');
    expect((await suite.send('POST', `/v1/manage/apikey/${id}/limit`, { monthly_limit: 1 })).status).toBe(409);
    expect((await suite.send('POST', `/v1/manage/apikey/${id}/rotate`)).status).toBe(409);
    expect((await suite.send('DELETE', `/v1/manage/apikey/${id}`)).status).toBe(204);
  });

  it.each(['group_id', 'access_list_id'])('cannot be tied to a %s of another organization', async (field) => {
    const elsewhere = createMaker(suite.harness, await suite.seedOther());
    const foreign = field === 'group_id' ? await elsewhere.group() : await elsewhere.list();
    const { id } = await suite.createKey();

    expect((await suite.send('POST', '/v1/manage/apikey', { name: 'x', [field]: foreign })).status).toBe(404);
    expect(
      (await suite.send('POST', `/v1/manage/apikey/${id}/${field === 'group_id' ? 'group' : 'access-list'}`, { [field]: foreign })).status,
    ).toBe(404);
  });
});

describe('access lists', () => {
  it('change only what is included; an included array replaces the stored one, without repetitions', async () => {
    const id = await suite.make.list();

    await suite.send('PATCH', `/v1/manage/access-list/${id}`, { chat: ['x/y', 'a/*', 'x/y'], auto_approve: true });

    const { access_list: list } = await suite.get(`/v1/manage/access-list/${id}`);
    expect(list).toEqual({
      id,
      name: 'list 1',
      organization_id: suite.ours.id,
      auto_approve: true,
      chat: ['x/y', 'a/*'],
      embedding: [],
      image: [],
      transcription: [],
      speech: [],
    });
  });

  it('cannot be deleted while a key or a group has them', async () => {
    const [id, key, group] = [await suite.make.list(), await suite.make.key(), await suite.make.group()];
    await suite.send('POST', `/v1/manage/apikey/${key}/access-list`, { access_list_id: id });
    await suite.send('POST', `/v1/manage/group/${group}/access-list`, { access_list_id: id });

    const attached = await suite.send('DELETE', `/v1/manage/access-list/${id}`);
    expect([attached.status, attached.json]).toEqual([
      409,
      { error: { message: expect.stringContaining('1 API keys and 1 groups') as string } },
    ]);
    await suite.send('POST', `/v1/manage/group/${group}/access-list`, { access_list_id: null });
    expect((await suite.send('DELETE', `/v1/manage/access-list/${id}`)).status).toBe(409);
    await suite.send('DELETE', `/v1/manage/apikey/${key}`); // what is revoked holds nothing

    expect((await suite.send('DELETE', `/v1/manage/access-list/${id}`)).status).toBe(204);
    expect((await suite.send('GET', `/v1/manage/access-list/${id}`)).status).toBe(404);
  });
});
