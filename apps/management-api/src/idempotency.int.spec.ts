import { createIdempotencyRecords } from '@weir/database';
import type { Reply } from './__fixtures__/start-management';
import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const suite = useManagement();

const KEY = 'the-order-of-customer-4711-of-november-21';

function post(path: string, body: unknown, idempotencyKey: string, key = suite.ours.apiKey): Promise<Reply> {
  return suite.harness.call('POST', path, { key, body, headers: { 'idempotency-key': idempotencyKey } });
}

const createKey = (body: object = { name: 'one' }, idempotencyKey = KEY): Promise<Reply> => post('/v1/manage/apikey', body, idempotencyKey);

async function countKeys(): Promise<number> {
  return suite.harness.database.prisma.apiKey.count({ where: { organizationId: suite.ours.id } });
}

describe('a POST with an Idempotency-Key', () => {
  it('is carried out once; the second response is that of the first, whatever the order of fields', async () => {
    const first = await createKey({ name: 'one', monthly_limit: 5 });
    const second = await createKey({ monthly_limit: 5, name: 'one' });

    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect([first.headers.get('idempotency-replayed'), second.headers.get('idempotency-replayed')]).toEqual([null, 'true']);
    // Both hold a key: no one between here and the caller is to keep it, nor to ask whether it is still the same.
    for (const { headers } of [first, second]) expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
    expect(await suite.works(String(second.json['api_key']))).toBe(true);
    expect(await countKeys()).toBe(2);
    const { audit } = await suite.get('/v1/manage/audit');
    expect(audit.map((row) => row['action'])).toEqual(['create-api-key']);
  });

  it('returns 204 again without a body', async () => {
    const { id } = await suite.createKey();
    const label = (): Promise<Reply> => post(`/v1/manage/apikey/${id}/label`, { labels: { team: 'red' } }, KEY);

    expect([(await label()).status, (await label()).status, (await label()).text]).toEqual([204, 204, '']);
  });

  it('is refused with 409 for another request under the same key', async () => {
    await createKey();

    for (const other of [await createKey({ name: 'two' }), await post('/v1/manage/group', { name: 'one' }, KEY)]) {
      expect([other.status, other.json['error']]).toMatchObject([409, { code: 'idempotency_key_reused' }]);
    }
    expect(await countKeys()).toBe(2);
  });

  it('runs once of many sent at the same time', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => createKey()));

    expect(await countKeys()).toBe(2);
    const made = replies.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const waiting of replies.filter(({ status }) => status !== 201)) {
      expect([waiting.status, waiting.json['error'], waiting.headers.get('retry-after')]).toMatchObject([
        409,
        { code: 'idempotency_in_progress' },
        '1',
      ]);
    }
    expect((await createKey()).text).toBe(made[0]?.text);
  });

  it('may be sent again under its key after it was refused', async () => {
    expect((await createKey({ name: '' })).status).toBe(400);
    expect((await createKey({ name: 'now it is right' })).status).toBe(201);
  });

  it('is the calling key’s own: another key’s request of the same name is another request', async () => {
    const other = await suite.createKey({ permissions: { manage: 'write' } });
    const [mine, theirs] = [await createKey(), await post('/v1/manage/apikey', { name: 'one' }, KEY, other.secret)];

    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.json['api_key']).not.toBe(mine.json['api_key']);
  });

  it.each(['', ' ', 'x'.repeat(256), 'schlüssel'.replace('ü', '\u00fc')])('refuses %j as a key, naming the header', async (key) => {
    const reply = await createKey({ name: 'one' }, key);

    expect([reply.status, reply.json['error'].message]).toEqual([400, expect.stringContaining('`Idempotency-Key`') as string]);
  });

  it('is forgotten after a day', async () => {
    const first = await createKey();
    await suite.harness.database.pool.query(`UPDATE idempotency_record SET expires_at = now() - interval '1 second'`);

    expect((await createKey()).json['api_key_id']).not.toBe(first.json['api_key_id']);
    await suite.harness.database.pool.query(`UPDATE idempotency_record SET expires_at = now() - interval '1 second'`);
    await createIdempotencyRecords(suite.harness.database.pool).purge();
    expect(await suite.harness.database.prisma.idempotencyRecord.count()).toBe(0);
  });

  it('keeps neither the key it came with nor the secret it made where either could be read', async () => {
    const { json } = await createKey();

    const { rows } = await suite.harness.database.pool.query<{ text: string }>(
      `SELECT string_agg(r::text || encode(r.reply, 'escape'), ' ') AS text FROM idempotency_record r`,
    );
    for (const secret of [String(json['api_key']), KEY]) {
      expect(rows[0]?.text).not.toContain(secret.slice(-24));
      expect(rows[0]?.text).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });
});

describe('after a process died in the middle', () => {
  const pass = (): Promise<unknown> =>
    suite.harness.database.pool.query(`UPDATE idempotency_record SET locked_until = now() - interval '1 second'`);

  it('the request is carried out when it had not been', async () => {
    await createKey();
    await suite.harness.database.pool.query('UPDATE idempotency_record SET reply = NULL, applied_at = NULL');

    expect((await createKey()).json['error']).toMatchObject({ code: 'idempotency_in_progress' });
    await pass();
    expect((await createKey()).status).toBe(201);
  });

  it('the request is not carried out again when it had been', async () => {
    await createKey();
    await suite.harness.database.pool.query('UPDATE idempotency_record SET reply = NULL');
    await pass();

    const reply = await createKey();

    expect([reply.status, reply.json['error']]).toMatchObject([409, { code: 'idempotency_reply_lost' }]);
    expect(await countKeys()).toBe(2);
  });
});
