import { getEndpoint } from '@weir/contracts';
import { dumpDatabase, findSecrets, readDatabaseFiles, spellingsOf } from '@weir/testing';
import { ENDPOINT_CASES } from './__fixtures__/endpoint-cases';
import { createMaker, type Maker } from './__fixtures__/maker';
import { startManagement, type ManagementHarness, type Organization, type Reply } from './__fixtures__/start-management';

jest.setTimeout(120_000);

const secrets = new Set<string>();
let harness: ManagementHarness;
let ours: Organization;
let make: Maker;

beforeAll(async () => {
  harness = await startManagement();
  ours = await harness.seed('ours');
  make = createMaker(harness, ours);
  secrets.add(ours.apiKey);
  await useEveryEndpoint();
  await issueKeys();
  await keepCredentials();
  await failWithSecrets();
});
afterAll(() => harness.stop());

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const reply = await harness.call(method, path, { key: ours.apiKey, headers, ...(body === undefined ? {} : { body }) });
  remember(reply.json);
  remember(body);
  return reply;
}

/** Everything that is called a key or a secret, wherever it stands. */
function remember(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if ((name === 'api_key' || name === 'access_secret') && typeof member === 'string' && member.length >= 12) secrets.add(member);
    else remember(member);
  }
}

async function useEveryEndpoint(): Promise<void> {
  for (const given of ENDPOINT_CASES) {
    const row = getEndpoint(given.id);
    const params = (await given.params?.(make)) ?? {};
    const path = row.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '') + (given.query ?? '');
    await call(row.method, path, given.id === 'remove-group-member' ? { user_id: params['member_id'] } : await given.body?.(make));
    for (const { body, query } of given.refused ?? []) await call(row.method, row.path + (query ?? ''), body);
  }
}

async function issueKeys(): Promise<void> {
  for (let count = 0; count < 25; count += 1) {
    const headers = count % 2 === 0 ? { 'idempotency-key': `issue-${count}` } : {};
    const first = await call('POST', '/v1/manage/apikey', { name: 'issued' }, headers);
    await call('POST', '/v1/manage/apikey', { name: 'issued' }, headers);
    await call(
      'POST',
      `/v1/manage/apikey/${String(first.json['api_key_id'])}/rotate`,
      { overlap_seconds: 60 },
      { 'idempotency-key': `rotate-${count}` },
    );
  }
}

async function keepCredentials(): Promise<void> {
  for (let count = 0; count < 10; count += 1) {
    const secretOf = (what: string): string => `${what}-refused-secret-${count}-0123456789abcdef`;
    const path = '/v1/manage/provider-credential';
    const { json } = await call(
      'POST',
      path,
      { provider: 'plain', name: `${count}`, api_key: secretOf('first') },
      { 'idempotency-key': `keep-${count}` },
    );
    await call('POST', path, { provider: 'cloud', name: `${count}`, fields: { access_id: 'an-id', access_secret: secretOf('cloud') } });
    await call('POST', `${path}/${String(json['id'])}/test`);
    await call('POST', `${path}/${String(json['id'])}/rotate`, { api_key: secretOf('second') });
    if (count % 2 === 0) await call('DELETE', `${path}/${String(json['id'])}`);
  }
}

/** Secrets where none belongs, and a store that breaks while it is given one. */
async function failWithSecrets(): Promise<void> {
  for (const secret of [...secrets].slice(0, 5)) {
    await call('GET', `/v1/manage/apikey/${secret}`);
    await call('POST', '/v1/manage/group', { name: 'x', [secret]: 1 });
    await call('POST', '/v1/manage/group', `{"name": "${secret}`);
    await harness.call('GET', '/v1/manage/apikey', { key: `${secret.slice(0, -1)}~` });
  }
  await harness.database.pool.query('alter table provider_credential rename to provider_credential_away');
  const broken = await call('POST', '/v1/manage/provider-credential', {
    provider: 'plain',
    name: 'broken',
    api_key: 'secret-of-a-broken-store-0123',
  });
  await harness.database.pool.query('alter table provider_credential_away rename to provider_credential');
  expect(broken.status).toBe(500);
}

it('finds whatever is there, in every spelling', () => {
  const secret = 'a-secret-to-be-found';
  const around = (offset: number): Buffer => Buffer.concat([Buffer.alloc(offset, 'x'), Buffer.from(secret), Buffer.from('yz')]);
  const texts = [0, 1, 2].flatMap((offset) =>
    (['utf8', 'hex', 'base64', 'base64url'] as const).map((form) => around(offset).toString(form)),
  );

  for (const text of texts) expect(findSecrets(text, [secret])).toEqual([secret]);
  expect(findSecrets(Buffer.from('here is a-secret-to-be-found').toString('base64'), [secret])).toEqual([secret]);
  expect(findSecrets('a-secret-to-be-lost', [secret])).toEqual([]);
  expect(spellingsOf(secret).every((spelling) => spelling.length >= 24 || spelling === secret)).toBe(true);
});

it('no table holds any key or credential, raw, hex or base64', async () => {
  const { tables, text } = await dumpDatabase(harness.database);

  expect(secrets.size).toBeGreaterThan(90);
  for (const table of ['api_key', 'audit_log', 'idempotency_record', 'provider_credential', 'organization_rule']) {
    expect(tables).toContain(table);
    expect(text).toContain(`\n${table} (`);
  }
  expect(findSecrets(text, secrets)).toEqual([]);
});

it('no file of the database and no write-ahead log holds any of them', async () => {
  const files = await readDatabaseFiles(harness.database);
  const samples = [...secrets].filter((_, index) => index % 12 === 0);

  // A server in a container keeps its files to itself; elsewhere what was stored in the clear is found, so the search sees.
  if (files.length > 0) expect(files.some((file) => file.includes('issued'))).toBe(true);
  for (const secret of samples) {
    const bytes = [Buffer.from(secret), Buffer.from(Buffer.from(secret).toString('hex'))];
    expect(files.some((file) => bytes.some((form) => file.includes(form)))).toBe(false);
  }
});

it('no line of the log holds any of them', () => {
  const logged = harness.logged.join('\n');

  expect(logged).toContain('create-provider-credential');
  expect(findSecrets(logged, secrets)).toEqual([]);
});
