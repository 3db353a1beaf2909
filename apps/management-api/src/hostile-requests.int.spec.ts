import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { request as httpRequest } from 'node:http';
import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const suite = useManagement();

function sendBytes(path: string, body: Buffer, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(suite.harness.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${suite.ours.apiKey}`, 'content-type': 'application/json', ...headers },
    body: new Uint8Array(body),
  });
}

function encodingOf(accepted: string | undefined): Promise<{ encoding: string | undefined; bytes: Buffer }> {
  const headers = { authorization: `Bearer ${suite.ours.apiKey}`, ...(accepted === undefined ? {} : { 'accept-encoding': accepted }) };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${suite.harness.url}/v1/manage/apikey`, { headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () => resolve({ encoding: reply.headers['content-encoding'], bytes: Buffer.concat(chunks) }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

const forge = (text: string): string => Buffer.from(text).toString('base64url');
const ID = '00000000-0000-4000-8000-000000000000';

describe('bytes that are no JSON', () => {
  it.each([
    ['bytes that are not UTF-8', Buffer.from([...Buffer.from('{"name":"a'), 0xff, 0xfe, ...Buffer.from('"}')]), {}, 400],
    ['gzip that says so', gzipSync('{"name":"a"}'), { 'content-encoding': 'gzip' }, 415],
    ['Brotli that does not', brotliCompressSync('{"name":"a"}'), {}, 400],
    ['a byte order mark', Buffer.from('\ufeff{"name":"a"}'), {}, 400],
    ['a list', Buffer.from('[]'), {}, 400],
    ['nothing but a null', Buffer.from('null'), {}, 400],
    ['33 levels', Buffer.from(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`), {}, 400],
  ])('%s', async (_, bytes, headers, status) => {
    const before = (await suite.get('/v1/manage/group'))['groups'].length;

    const reply = await sendBytes('/v1/manage/group', bytes, headers);

    expect([reply.status, ((await reply.json()) as { error: { origin: string } }).error.origin]).toEqual([status, 'router']);
    expect((await suite.get('/v1/manage/group'))['groups']).toHaveLength(before);
  });
});

describe('what would be lost or could not be kept is refused by name', () => {
  it.each([
    ['a label that JavaScript would lose', '{"labels":{"__proto__":"x"}}', 'label', 'labels.__proto__'],
    ['a field that JavaScript would lose', '{"labels":{},"__proto__":{"labels":{}}}', 'label', '__proto__'],
    ['a moment in a year of five digits', '{"expires_at":"9999-12-31T23:59:59-01:00"}', 'expiry', 'expires_at'],
    ['a day that is not in the calendar', '{"expires_at":"2027-02-29T00:00:00Z"}', 'expiry', 'expires_at'],
    ['a limit without end', '{"monthly_limit":1e400}', 'limit', 'monthly_limit'],
    ['a limit finer than is counted', '{"monthly_limit":0.0000000000001}', 'limit', 'monthly_limit'],
  ])('%s', async (_, body, setting, field) => {
    const { id } = await suite.createKey();

    const reply = await suite.harness.call('POST', `/v1/manage/apikey/${id}/${setting}`, { key: suite.ours.apiKey, body });

    expect(reply.status).toBe(400);
    expect(reply.json.error.message).toContain(`\`${field}\``);
  });

  it('a parameter of a write, which is carried out only when all of it is understood', async () => {
    const before = (await suite.get('/v1/manage/group'))['groups'].length;

    const reply = await suite.send('POST', '/v1/manage/group?dry_run=true', { name: 'only tried' });

    expect([reply.status, reply.json.error.message]).toEqual([400, 'Unknown parameter `dry_run`.']);
    expect((await suite.get('/v1/manage/group'))['groups']).toHaveLength(before);
  });

  it('takes names of any script, of 200 letters, and gives them back as they came', async () => {
    for (const name of [
      'Ünïcødé 組 🙂',
      'e\u0301',
      '\u202eright to left',
      `tab\tand\nline`,
      '"; DROP TABLE x; --',
      'x'.repeat(200),
      '__proto__',
    ]) {
      const id = await suite.make.group({ name });
      expect((await suite.get(`/v1/manage/group/${id}`))['group']['name']).toBe(name);
    }
    expect((await suite.send('POST', '/v1/manage/group', { name: 'x'.repeat(201) })).status).toBe(400);
    // Names are compared letter by letter.
    expect((await suite.send('POST', '/v1/manage/group', { name: 'X'.repeat(200) })).status).toBe(200);
    expect((await suite.send('POST', '/v1/manage/group', { name: 'x'.repeat(200) })).status).toBe(409);
  });
});

describe('a cursor that no one was given', () => {
  it.each([
    forge(`999999999999999.${ID}`),
    forge(`99999999999999.${ID}`),
    forge(`-1.${ID}`),
    forge(`0.${ID}' or true`),
    forge('0.'),
    '%00',
    'x'.repeat(200),
  ])('%s is refused or finds nothing, and never fails', async (cursor) => {
    for (const path of ['/v1/manage/apikey', '/v1/manage/access-list', '/v1/manage/balance/history', '/v1/manage/audit']) {
      const { status } = await suite.send('GET', `${path}?cursor=${cursor}`);
      expect([path, status === 200 || status === 400]).toEqual([path, true]);
    }
  });

  it.each(['0', '-1', '1001', '1.5', 'ten', '', '1e9', '5&limit=6'])('so is a limit of %j', async (limit) => {
    for (const path of ['/v1/manage/apikey', '/v1/manage/org/member', '/v1/manage/audit', '/v1/manage/balance/history']) {
      const reply = await suite.send('GET', `${path}?limit=${limit}`);
      expect([path, reply.status]).toEqual([path, 400]);
      expect(reply.json.error.message).toContain('`limit`');
    }
  });
});

describe('who comes at the same moment', () => {
  it('adds the same person once, and hears so', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        suite.send('POST', '/v1/manage/org/member', { email: at % 2 === 0 ? 'twin@same.example' : 'TWIN@same.example' }),
      ),
    );

    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
    expect(new Set(replies.map(({ json }) => json['member']['user_id'])).size).toBe(1);
  });

  it('takes a name once', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => suite.send('POST', '/v1/manage/group', { name: 'wanted by all' })));

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it('changes different things of one access list without losing any', async () => {
    const id = await suite.make.list();
    const path = `/v1/manage/access-list/${id}`;
    const modalities = ['chat', 'embedding', 'image', 'transcription', 'speech'];

    await Promise.all(modalities.map((modality) => suite.send('PATCH', path, { [modality]: [`a/${modality}`] })));

    const list = (await suite.get(path))['access_list'];
    expect(modalities.map((modality) => list[modality])).toEqual(modalities.map((modality) => [`a/${modality}`]));
  });
});

describe('addresses', () => {
  it('are case-sensitive, whatever their case opens', async () => {
    expect((await suite.send('GET', '/V1/manage/apikey')).status).toBe(404);
    expect((await suite.send('GET', '/v1/manage/APIKEY')).status).toBe(404);
    expect((await suite.send('GET', `/v1/manage/apikey/${suite.ours.apiKeyId.toUpperCase()}`)).status).toBe(200);
  });

  it.each(['%2e%2e', '%00', 'a%2fb', '%ff', "' or 1=1", '🙂', 'x'.repeat(5000)])('with %s for an id lead nowhere', async (id) => {
    for (const path of ['apikey', 'access-list', 'group', 'policy', 'alias', 'guardrail', 'provider-credential']) {
      const { status } = await suite.send('GET', `/v1/manage/${path}/${id}`);
      expect([path, status === 404 || status === 400]).toEqual([path, true]);
    }
  });
});

it('compresses with gzip for callers that accept gzip, and not at all for others', async () => {
  const zipped = await Promise.all(['gzip', 'gzip, deflate, br', 'br;q=1, gzip;q=0.1'].map(encodingOf));
  const plain = await Promise.all([undefined, 'br', 'deflate', 'identity', 'gzip;q=0', ''].map(encodingOf));

  expect(zipped.map(({ encoding }) => encoding)).toEqual(['gzip', 'gzip', 'gzip']);
  expect(plain.map(({ encoding }) => encoding)).toEqual(plain.map(() => undefined));
  expect(gunzipSync(zipped[1]?.bytes ?? Buffer.alloc(0)).toString()).toBe(plain[0]?.bytes.toString());
});
