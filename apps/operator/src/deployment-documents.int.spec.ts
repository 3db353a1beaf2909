import { getPostgres, makeTestFolder, type RealPostgres } from '@weir/testing';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { runWeir, type Outcome } from './__fixtures__/run-weir';

jest.setTimeout(60_000);

const folder = makeTestFolder('deployment');
const accountsFile = join(folder, 'accounts.json');

let postgres: RealPostgres;
let gateway: Server;
let environment: Record<string, string>;
const asked: string[] = [];
/** What the gateway says one after the other, the last one again and again. */
let replies: { status: number; body: object }[] = [];

beforeAll(async () => {
  postgres = await getPostgres();
  gateway = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const [{ status, body }] = replies as [(typeof replies)[0]];
    if (replies.length > 1) replies.shift();
    request.resume().on('end', () => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => gateway.once('listening', resolve));
  environment = {
    ...{ DATABASE_URL: await postgres.createDatabase(), KEY_PEPPER: 'a pepper of thirty-two characters', DATA_DIR: folder },
    ...{ WEIR_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`, WEIR_API_KEY: 'a-key' },
    PROVIDER_ACCOUNTS_FILE: accountsFile,
  };
});
afterAll(async () => {
  await new Promise((resolve) => gateway.close(resolve));
  await postgres.stop();
});
beforeEach(() => {
  asked.splice(0);
  replies = [{ status: 200, body: { configuration: 'p', summary: '', steps: [], secrets: [], notes: [] } }];
});

const refusal = { status: 400, body: { error: { message: 'there is no model "sandbox/own"' } } };
const document = (kind: string, sections: object): string =>
  stringify({ apiVersion: 'weir/v1', kind, metadata: { name: 'p' }, ...sections });
const prices = [{ version: 'ours-1', validFrom: '2026-01-01', tiers: [{ threshold: 0, input: '0.000001', output: '0.000002' }] }];
const facts = { modality: 'chat', provider: 'acme', upstreamModel: 'own', vendor: 'acme', canonicalName: 'own', prices };
const env = { apiKey: ['ACME_API_KEY'], baseUrl: [] };
const acme = { id: 'acme', name: 'Acme', baseUrl: 'https://acme.example/v1', env, endpoints: { chat: '/chat/completions' } };
const account = { id: 'eu-1', provider: 'acme', weight: 3, api_key: { env: 'ACME_EU' } };

const catalog = document('Catalog', { models: [{ id: 'acme/own', ...facts }], providers: [acme] });
const accounts = document('ProviderAccounts', { accounts: [account] });
const organization = document('Configuration', { aliases: [{ name: 'own', model: 'acme/own' }] });

async function weir(command: string, texts: readonly string[], env = environment): Promise<Outcome> {
  const file = join(folder, 'weir.yaml');
  writeFileSync(file, texts.join('---\n'));
  const [word = '', ...options] = command.split(' ');
  return runWeir([word, '-f', file, ...options], env);
}
const history = async (): Promise<object[]> => (await runWeir('catalog history --json', environment)).json['versions'] as object[];

it('documents of the catalogue and of accounts are shown with the rest, and change nothing yet', async () => {
  replies = [refusal];
  for (const command of ['diff', 'apply', 'apply --yes --dry-run']) {
    const { code, printed } = await weir(command, [catalog, accounts, organization]);
    expect(code).toBe(3);
    expect(printed).toContain('+ model acme/own\n    + price ours-1');
    expect(printed).toContain('+ provider acme');
    expect(printed).toContain('+ account acme/eu-1\n    weight: 3\n    api_key: {"env":"ACME_EU"}\n');
    expect(printed).toContain('note: with the catalogue as it is now, the organization’s part is refused: there is no model');
    expect(printed).toContain('nothing was changed');
  }
  expect(new Set(asked)).toEqual(new Set(['POST /v1/manage/configuration/preview']));
  expect([await history(), existsSync(accountsFile)]).toEqual([[], false]);
});

it('go first when they are applied, and the organization follows when the gateway has them; the second time nothing is to do', async () => {
  replies = [refusal, refusal, ...replies];
  const applied = await weir('apply --yes', [organization, accounts, catalog]);
  expect([applied.code, applied.complaint]).toEqual([0, '']);
  expect(applied.printed).toContain('version 1 of the catalogue');
  expect(applied.printed).toContain('configuration "p" is in force');
  expect(asked.at(-1)).toBe('PUT /v1/manage/configuration');
  expect(JSON.parse(readFileSync(accountsFile, 'utf8'))).toEqual({ accounts: [account] });
  expect(statSync(accountsFile).mode & 0o777).toBe(0o600);

  expect(await weir('apply --yes', [organization, accounts, catalog])).toMatchObject({
    code: 0,
    printed: 'no changes\nconfiguration "p" is in force\n',
  });
  expect(await weir('diff', [accounts, catalog])).toMatchObject({ code: 0, printed: 'no changes\n' });
  expect(await history()).toMatchObject([{ version: 1, note: 'weir apply: p' }]);
});

it('leave what they do not list, and take it away where that is asked for', async () => {
  const other = document('ProviderAccounts', { accounts: [{ ...account, id: 'us-1', fields: undefined, weight: 1 }] });
  const { json } = await weir('apply --yes --json', [other, document('Catalog', { removed: ['sandbox/chat-free'] })]);
  expect(json).toMatchObject({
    applied: true,
    configuration: null,
    catalog: { version: 2 },
    provider_accounts: { changes: [{ action: 'create', account: 'acme/us-1' }] },
  });
  expect(await weir('diff', [accounts, catalog])).toMatchObject({ code: 0 });
  const pruned = await weir('apply --yes --prune', [accounts, catalog]);
  expect(pruned.printed).toContain('- account acme/us-1\n');
  expect(pruned.printed).toContain('+ model sandbox/chat-free');
  expect(JSON.parse(readFileSync(accountsFile, 'utf8'))).toEqual({ accounts: [account] });
  expect(asked).toEqual([]);
});

it.each([
  ['a secret', [document('ProviderAccounts', { accounts: [{ ...account, api_key: 'sk-in-plain-text' }] }), catalog], 'api_key: a secret'],
  [
    'a provider that there is none of',
    [document('ProviderAccounts', { accounts: [{ ...account, provider: 'nix' }] })],
    '"nix" is not known',
  ],
  ['a model that stands there twice', [catalog, catalog], 'acme/own stands there twice'],
  ['a section that there is none of', [document('Catalog', { model: [] })], 'no document of the catalogue'],
  ['another version', [catalog.replace('weir/v1', 'weir/v2')], 'apiVersion must be "weir/v1"'],
])('with %s are refused before anything is changed', async (_, texts, complaint) => {
  const before = [await history(), readFileSync(accountsFile, 'utf8')];
  const refused = await weir('apply --yes', texts);
  expect([refused.code === 0, refused.complaint]).toEqual([false, expect.stringContaining(complaint)]);
  expect(refused.complaint).not.toContain('sk-in-plain-text');
  expect([await history(), readFileSync(accountsFile, 'utf8')]).toEqual(before);
});

it('say what is missing where no file of accounts is named', async () => {
  const { PROVIDER_ACCOUNTS_FILE: _, ...others } = environment;
  expect(await weir('diff', [accounts], others)).toMatchObject({
    code: 2,
    complaint: expect.stringContaining('PROVIDER_ACCOUNTS_FILE') as string,
  });
});
