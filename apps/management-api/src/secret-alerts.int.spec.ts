import { generateApiKey } from '@weir/access';
import { dumpDatabase, findSecrets } from '@weir/testing';
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createSecretAlerts, verifyAudit } from '.';
import { startManagement, type ManagementHarness, type Organization } from './__fixtures__/start-management';

jest.setTimeout(60_000);

const PATH = '/internal/secret-alert';
const ours = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const keyList = { public_keys: [{ key_identifier: 'k1', key: ours.publicKey.export({ type: 'spki', format: 'pem' }), is_current: true }] };

let harness: ManagementHarness;
let organization: Organization;
const counted: string[] = [];

beforeAll(async () => {
  const secretAlerts = createSecretAlerts(
    { SECRET_ALERT_KEYS_URL: 'https://keys.example/list' },
    {
      fetcher: { read: () => Promise.resolve({ status: 200, text: JSON.stringify(keyList) }) },
      count: (outcome) => void counted.push(outcome),
    },
  );
  harness = await startManagement({ secretAlerts });
});
beforeEach(async () => {
  organization = await harness.seed(`exposed-${counted.length}-${Date.now()}`);
  counted.length = 0;
});
afterAll(() => harness.stop());

type Report = { readonly status: number; readonly text: string; readonly json: unknown };
type Signing = { readonly key?: KeyObject; readonly identifier?: string; readonly signed?: string };

async function report(body: string, { key = ours.privateKey, identifier = 'k1', signed = body }: Signing = {}): Promise<Report> {
  const signature = sign('sha256', Buffer.from(signed), key).toString('base64');
  const headers = { 'github-public-key-identifier': identifier, 'github-public-key-signature': signature };
  const { status, text } = await harness.call('POST', PATH, { body, headers });
  return { status, text, json: JSON.parse(text) as unknown };
}

const listOf = (...tokens: readonly string[]): string =>
  JSON.stringify(tokens.map((token) => ({ token, type: 'weir_key', url: `https://github.com/o/r/${token}?t=${token}`, source: 'commit' })));
const verdictOf = (token: string, label: 'true_positive' | 'false_positive') => ({
  ...{ token_hash: createHash('sha256').update(token).digest('hex'), token_type: 'weir_key', label },
});
const opens = async (key: string): Promise<boolean> => (await harness.call('GET', '/v1/manage/apikey/self', { key })).status === 200;

async function createKey(of: Organization = organization): Promise<{ id: string; secret: string }> {
  const { json } = await harness.call('POST', '/v1/manage/apikey', { key: of.apiKey, body: { name: 'a key' } });
  return { id: String(json['api_key_id']), secret: String(json['api_key']) };
}

describe('a report that is signed', () => {
  it('revokes keys of whichever organization, reports which were ours, and echoes none', async () => {
    const other = await harness.seed(`other-${Date.now()}`);
    const [first, second] = [await createKey(), await createKey(other)];
    const never = generateApiKey('test');
    const mistyped = `${first.secret.slice(0, -1)}${first.secret.endsWith('a') ? 'b' : 'a'}`;
    const tokens = [first.secret, never, second.secret, mistyped, first.secret, 'no key at all'];
    const reply = await report(listOf(...tokens));

    expect([reply.status, reply.json]).toEqual([
      200,
      [
        ...[verdictOf(first.secret, 'true_positive'), verdictOf(never, 'false_positive'), verdictOf(second.secret, 'true_positive')],
        ...[verdictOf(mistyped, 'false_positive'), verdictOf(first.secret, 'true_positive'), verdictOf('no key at all', 'false_positive')],
      ],
    ]);
    expect([await opens(first.secret), await opens(second.secret), await opens(organization.apiKey)]).toEqual([false, false, true]);
    expect(counted.sort()).toEqual(['revoked', 'revoked', 'unknown', 'unknown', 'unknown']);
  });

  it('leaves a line in the audit log and in the change log, and no secret anywhere', async () => {
    const notices: number[] = [];
    const stop = await harness.notices.subscribe(() => {
      notices.push(1);
      return Promise.resolve();
    });
    const key = await createKey();
    notices.length = 0;
    await report(listOf(key.secret));
    await stop();

    const { audit } = (await harness.call('GET', '/v1/manage/audit', { key: organization.apiKey })).json;
    expect(audit.find(({ action }) => action === 'secret-alert')).toMatchObject({
      target: { kind: 'api-key', id: key.id },
      before: { status: 'active' },
      after: { status: 'revoked', found_in_public: { type: 'weir_key', source: 'commit', url: 'https://github.com/o/r/[hidden]' } },
    });
    expect(notices.length).toBe(1);
    const { rows } = await harness.database.pool.query('SELECT 1 FROM config_change WHERE entity_id = $1', [key.id]);
    expect(rows.length).toBeGreaterThanOrEqual(1);
    expect(await verifyAudit(harness.database, { organizationId: organization.id })).toMatchObject([{ broken: [] }]);
    const { text } = await dumpDatabase(harness.database);
    expect(text).toContain('found_in_public');
    expect(findSecrets(text + harness.logged.join('\n'), [key.secret])).toEqual([]);
  });

  it('changes nothing the second time, nor of a key that was revoked by hand, and returns the same verdicts', async () => {
    const [once, byHand] = [await createKey(), await createKey()];
    await harness.call('DELETE', `/v1/manage/apikey/${byHand.id}`, { key: organization.apiKey });
    const body = listOf(once.secret, byHand.secret);
    const replies = [await report(body), await report(body)];
    const together = await Promise.all([report(body), report(body)]);

    for (const { json } of [...replies, ...together]) {
      expect(json).toEqual([verdictOf(once.secret, 'true_positive'), verdictOf(byHand.secret, 'true_positive')]);
    }
    expect(counted.filter((outcome) => outcome === 'revoked')).toHaveLength(1);
    const { audit } = (await harness.call('GET', '/v1/manage/audit', { key: organization.apiKey })).json;
    expect(audit.filter(({ action }) => action === 'secret-alert')).toHaveLength(1);
  });

  it('that comes twice at once revokes once', async () => {
    const key = await createKey();
    await Promise.all(Array.from({ length: 4 }, () => report(listOf(key.secret))));
    const { audit } = (await harness.call('GET', '/v1/manage/audit', { key: organization.apiKey })).json;
    expect(audit.filter(({ action }) => action === 'secret-alert')).toHaveLength(1);
  });

  it('takes a secret that was rotated its overlap, and leaves the key', async () => {
    const key = await createKey();
    const rotated = await harness.call('POST', `/v1/manage/apikey/${key.id}/rotate`, {
      key: organization.apiKey,
      body: { overlap_seconds: 3600 },
    });
    const fresh = String(rotated.json['api_key']);
    expect([await opens(key.secret), await opens(fresh)]).toEqual([true, true]);
    expect((await report(listOf(key.secret))).json).toEqual([verdictOf(key.secret, 'true_positive')]);
    expect([await opens(key.secret), await opens(fresh)]).toEqual([false, true]);
    await report(listOf(fresh));
    expect(await opens(fresh)).toBe(false);
  });

  it('returns no verdicts for an empty report', async () => {
    expect((await report('[]')).json).toEqual([]);
  });

  it.each(['{}', '[{"token":1}]', 'no JSON'])('is refused where it is none: %s', async (body) => {
    const { status, text } = await report(body);
    expect([status, text]).toEqual([400, expect.stringContaining('must be a list')]);
  });
});

describe('a report that is not signed', () => {
  it.each<[string, Signing]>([
    ['by somebody else', { key: stranger.privateKey }],
    ['by a key that is not listed', { identifier: 'k2' }],
    ['for another body', { signed: '[]' }],
    ['for the same body written otherwise', { signed: ' ' }],
    ['by an identifier that is none', { identifier: '../k1' }],
  ])('is always refused in the same way, and changes nothing: %s', async (_, signing) => {
    const key = await createKey();
    const { status, json } = await report(listOf(key.secret), signing);
    expect([status, json]).toMatchObject([403, { error: { message: expect.stringContaining('signature') as string } }]);
    expect(await opens(key.secret)).toBe(true);
    expect(counted).toEqual(['refused']);
  });

  it('is refused without headers, and an administrator key is no signature', async () => {
    const replies = [{}, { 'github-public-key-identifier': 'k1', 'github-public-key-signature': 'short' }].map((headers) =>
      harness.call('POST', PATH, { key: organization.apiKey, body: '[]', headers }),
    );
    for (const { status } of await Promise.all(replies)) expect(status).toBe(403);
  });

  it('returns 413 for a report that is too large, even a signed one', async () => {
    const body = JSON.stringify([{ token: 'x'.repeat(1024 * 1024), type: 't' }]);
    expect((await report(body)).status).toBe(413);
  });

  it('is limited, while one that is signed is not', async () => {
    const replies = await Promise.all(Array.from({ length: 150 }, () => report('[]', { key: stranger.privateKey })));
    const statuses = new Set(replies.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([403, 429]);
    expect((await report('[]')).status).toBe(200);
  });
});

it('is a 404 where no one may report', async () => {
  const plain = await startManagement();
  try {
    expect((await plain.call('POST', PATH, { body: '[]' })).status).toBe(404);
  } finally {
    await plain.stop();
  }
});

it('asks to be tried again while the keys cannot be read', async () => {
  const secretAlerts = createSecretAlerts(
    { SECRET_ALERT_KEYS_URL: 'https://keys.example/list' },
    { fetcher: { read: () => Promise.resolve({ status: 500, text: '' }) }, count: () => undefined },
  );
  const blind = await startManagement({ secretAlerts });
  const signature = sign('sha256', Buffer.from('[]'), ours.privateKey).toString('base64');
  const headers = { 'github-public-key-identifier': 'k1', 'github-public-key-signature': signature };
  try {
    const reply = await blind.call('POST', PATH, { body: '[]', headers });
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '60']);
  } finally {
    await blind.stop();
  }
});
