import { SEALING_KEY } from './__fixtures__/start-management';
import { useManagement } from './__fixtures__/use-management';
import { createDataKeyStore } from '@weir/database';
import { createKeyRing, createVault } from '@weir/sealing';

const HOOK = 'https://hooks.example.com/services/T0/B0/the-secret-part';
const EMAIL = { scope: 'balance', amount: 5, channel: 'email', to: ['ann@example.com', 'bob@example.com'] };

describe('alerts by other channels', () => {
  const suite = useManagement();

  const create = async (body: object): Promise<string> => {
    const reply = await suite.send('POST', '/v1/manage/alert', body);
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
    return String(reply.json['id']);
  };
  const list = async () => (await suite.get('/v1/manage/alert'))['alerts'] as Record<string, unknown>[];
  const openAddress = async (id: string): Promise<string> => {
    const vault = createVault({ keyRing: createKeyRing(SEALING_KEY), store: createDataKeyStore(suite.harness.database.pool) });
    const { nonce, ciphertext, tag, dataKeyId } = await suite.harness.database.prisma.alert.findUniqueOrThrow({ where: { id } });
    const sealed = { nonce: Buffer.from(nonce), ciphertext: Buffer.from(ciphertext), tag: Buffer.from(tag), dataKeyId };
    return vault.open(sealed, { organizationId: suite.ours.id, recordId: id, version: 1 });
  };

  it('an address that is a secret is sealed and never shown again, nor logged, nor in the audit log', async () => {
    const reply = await suite.send('POST', '/v1/manage/alert', { scope: 'balance', amount: 5, channel: 'slack', url: HOOK });
    expect([reply.status, Object.keys(reply.json)]).toEqual([201, ['id']]);
    const id = String(reply.json['id']);
    expect(await list()).toMatchObject([
      { channel: 'slack', target: 'https://hooks.example.com/…', url: null, repeat_hours: null, notify_recovery: false },
    ]);
    expect(await openAddress(id)).toBe(HOOK);
    await suite.send('PATCH', `/v1/manage/alert/${id}`, { url: `${HOOK}-other`, repeat_hours: 24 });
    expect(await openAddress(id)).toBe(`${HOOK}-other`);
    await suite.send('PATCH', `/v1/manage/alert/${id}`, { repeat_hours: null });
    expect(await openAddress(id)).toBe(`${HOOK}-other`);
    const audit = await suite.get('/v1/manage/audit?limit=10');
    const rows = await suite.harness.database.prisma.alert.findMany({ where: { id } });
    for (const text of [JSON.stringify(audit), JSON.stringify(rows), suite.harness.logged.join('\n'), JSON.stringify(await list())])
      expect(text).not.toContain('the-secret-part');
    expect(JSON.stringify(audit)).toContain('update-alert');
  });

  it('e-mail goes to the addresses that are named, and they can be changed', async () => {
    const id = await create({ ...EMAIL, repeat_hours: 12, notify_recovery: true });
    expect(await list()).toMatchObject([
      { channel: 'email', to: EMAIL.to, target: 'ann@example.com, bob@example.com', url: null, repeat_hours: 12, notify_recovery: true },
    ]);
    const { json } = await suite.send('PATCH', `/v1/manage/alert/${id}`, { to: ['eve@example.com'], percentage: 10 });
    expect(json['alert']).toMatchObject({
      to: ['eve@example.com'],
      target: 'eve@example.com',
      percentage: 10,
      amount: null,
      repeat_hours: 12,
    });
    for (const to of [
      ['a@b.example\r\nBcc: c@d.example'],
      ['a@b.example, c@d.example'],
      [],
      Array.from({ length: 11 }, (_, at) => `a${at}@b.example`),
    ])
      expect((await suite.send('POST', '/v1/manage/alert', { ...EMAIL, to })).status).toBe(400);
  });

  it('about a limit in its unit, and not about what runs at a moment', async () => {
    const tokens = await suite.make.limit({ scope: 'organization', measure: 'tokens', window: 'day', amount: 1000 });
    const usd = await suite.make.limit({ scope: 'organization', measure: 'usd', window: 'month', amount: 10 });
    const running = await suite.make.limit({ scope: 'organization', measure: 'concurrent_requests', window: undefined, amount: 10 });
    const about = (limit_id: string, amount: number) => ({ scope: 'limit', limit_id, amount, url: 'https://example.com/hook' });
    await create(about(tokens, 800));
    await create(about(usd, 7.5));
    expect((await list()).map(({ limit_id: id, amount }) => [id, amount]).sort()).toEqual(
      [
        [tokens, '800'],
        [usd, '7.5'],
      ].sort(),
    );
    for (const [id, amount, field] of [
      [tokens, 0.5, 'amount'],
      [running, 5, 'limit_id'],
    ] as const) {
      const { status, text } = await suite.send('POST', '/v1/manage/alert', about(id, amount));
      expect([status, text]).toEqual([400, expect.stringContaining(field)]);
    }
  });

  it('keep the limit that they watch from being deleted, until they are gone themselves', async () => {
    const limit = await suite.make.limit({ scope: 'organization', measure: 'tokens', window: 'day', amount: 1000 });
    const id = await create({ scope: 'limit', limit_id: limit, amount: 800, url: 'https://example.com/hook' });
    const { status, text } = await suite.send('DELETE', `/v1/manage/limit/${limit}`);
    expect([status, text]).toEqual([409, expect.stringContaining(id)]);
    expect((await suite.get(`/v1/manage/limit/${limit}`))['limit']).toMatchObject({ id: limit });
    await suite.send('DELETE', `/v1/manage/alert/${id}`);
    expect((await suite.send('DELETE', `/v1/manage/limit/${limit}`)).status).toBe(204);
  });

  it('about unusual hours, with what is usual to say', async () => {
    const id = await create({ scope: 'anomaly', url: 'https://example.com/hook' });
    await create({ scope: 'anomaly', measure: 'requests', sensitivity: 'high', url: 'https://example.com/hook' });
    expect(await list()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ measure: 'usd', sensitivity: 'medium', min_amount: '1', amount: null, percentage: null }),
        expect.objectContaining({ measure: 'requests', sensitivity: 'high', min_amount: '100' }),
      ]),
    );
    const change = await suite.send('PATCH', `/v1/manage/alert/${id}`, { sensitivity: 'low', min_amount: 2.5 });
    expect(change.json['alert']).toMatchObject({ measure: 'usd', sensitivity: 'low', min_amount: '2.5' });
  });

  it.each([
    ['percentage', { scope: 'anomaly', url: 'https://example.com' }, { percentage: 5 }],
    ['min_amount', { scope: 'balance', amount: 5, url: 'https://example.com' }, { min_amount: 5 }],
    ['to', { scope: 'balance', amount: 5, url: 'https://example.com' }, { to: ['ann@example.com'] }],
    ['url', EMAIL, { url: 'https://example.com' }],
  ])('a change that an alert cannot have is refused by its field: %s', async (field, body, change) => {
    const { status, text } = await suite.send('PATCH', `/v1/manage/alert/${await create(body)}`, change);
    expect([status, text]).toEqual([400, expect.stringContaining(field)]);
  });

  it('a test is written for the aggregator, not twice at once, and bounded for the organization', async () => {
    const id = await suite.make.alert();
    suite.harness.now = () => Date.UTC(2026, 10, 24, 12);
    const test = (alert: string) => suite.send('POST', `/v1/manage/alert/${alert}/test`);
    const replies = await Promise.all([test(id), test(id)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 429]);
    expect(replies.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('10');
    suite.harness.now = () => Date.UTC(2026, 10, 24, 12, 0, 20);
    for (let count = 1; count < 10; count += 1) expect((await test(await suite.make.alert())).status).toBe(200);
    expect((await test(await suite.make.alert())).status).toBe(429);
    const firings = await suite.harness.database.prisma.alertFiring.findMany({ where: { alertId: id } });
    expect(firings).toMatchObject([{ kind: 'test', status: 'pending', period: expect.stringMatching(/^test#\d+$/) }]);
  });
});

describe('alerts of a gateway without a mail server', () => {
  const suite = useManagement({ sendsEmail: false });

  it('are refused when they are to be sent by e-mail, and say who can change that', async () => {
    const { status, text } = await suite.send('POST', '/v1/manage/alert', EMAIL);
    expect([status, text]).toEqual([400, expect.stringContaining('its operator has to name a mail server first')]);
    expect(text).toContain('channel');
  });
});

describe('a test of an alert', () => {
  const suite = useManagement({ alertTestMs: 5_000 });

  it('returns what became of it', async () => {
    const id = await suite.make.alert();
    const { prisma } = suite.harness.database;
    const reply = suite.send('POST', `/v1/manage/alert/${id}/test`);
    let changed = 0;
    // As the aggregator does once it has sent it.
    while (changed === 0) {
      const data = { status: 'dead', lastResult: '404', attempts: 1 };
      changed = (await prisma.alertFiring.updateMany({ where: { alertId: id, kind: 'test' }, data })).count;
    }
    expect((await reply).json['delivery']).toMatchObject({
      kind: 'test',
      status: 'dead',
      last_result: '404',
      attempts: 1,
      next_attempt_at: null,
    });
  });
});
