import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getPostgres, makeTestFolder, type RealPostgres } from '@weir/testing';
import { runWeir, type Outcome } from './__fixtures__/run-weir';

jest.setTimeout(60_000);

let postgres: RealPostgres;
let environment: Record<string, string>;
const folder = makeTestFolder('catalog');

beforeAll(async () => {
  postgres = await getPostgres();
  environment = { DATABASE_URL: await postgres.createDatabase(), KEY_PEPPER: 'a pepper of thirty-two characters', DATA_DIR: folder };
});
afterAll(() => postgres.stop());

const weir = (...line: string[]): Promise<Outcome> => runWeir(line, environment);
const inJson = async (...line: string[]): Promise<Record<string, unknown>> => (await weir(...line, '--json')).json;

let files = 0;
function fileOf(content: unknown): string {
  const path = join(folder, `changes-${(files += 1)}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const price = (input: string, version = '2026-01-01') => ({
  version,
  validFrom: version,
  tiers: [{ threshold: 0, input, output: '0.000002' }],
});
const facts = { modality: 'chat', provider: 'sandbox', upstreamModel: 'own', vendor: 'sandbox', canonicalName: 'own' };
const model = { id: 'sandbox/own', ...facts, prices: [price('0.000001')] };
const dearer = { ...model, prices: [price('0.000001'), price('0.0000015', '2026-11-01')] };

describe('versions of the catalogue', () => {
  it('are shown before they are made, and made with --yes', async () => {
    const path = fileOf([model]);
    const shown = await weir('catalog', 'apply', path);
    expect([shown.code, shown.printed]).toEqual([0, expect.stringContaining('+ model sandbox/own\n    + price 2026-01-01') as string]);
    expect(shown.printed).toContain('Nothing was changed yet');
    expect(await inJson('catalog', 'show')).toMatchObject({ version: null, own_models: [] });

    expect((await weir('catalog', 'apply', path, '--yes', '--note', 'our own')).printed).toContain('This is version 1.');
    expect(await inJson('catalog', 'show')).toMatchObject({ version: 1, own_models: ['sandbox/own'] });
    expect((await weir('catalog', 'apply', path, '--yes')).printed).toBe('Nothing is different.\n');
  });

  it('change a price with what it was and by how much, and keep what the file does not name', async () => {
    expect((await weir('catalog', 'diff', fileOf([dearer]))).printed).toContain('input: 0.000001 → 0.0000015 USD (+50 %)');
    await weir('catalog', 'apply', fileOf({ models: [dearer], removed: ['sandbox/chat-free'] }), '--yes');

    expect(await inJson('catalog', 'show')).toMatchObject({ version: 2, own_models: ['sandbox/own'], removed: ['sandbox/chat-free'] });
    expect(await inJson('catalog', 'show', 'sandbox/own')).toEqual(dearer);
    expect(await weir('catalog', 'show', 'sandbox/chat-free')).toMatchObject({
      code: 2,
      complaint: expect.stringContaining('is removed') as string,
    });
  });

  it('go back to an earlier one, and keep all prices known', async () => {
    expect((await weir('catalog', 'rollback', '1')).printed).toContain('- price 2026-11-01');
    await weir('catalog', 'rollback', '1', '--yes');
    await weir('catalog', 'rollback', '0', '--yes', '--note', 'start again');

    const { versions } = await inJson('catalog', 'history');
    expect(versions).toMatchObject([
      { version: 4, note: 'start again', restores: null, own_models: 0 },
      { version: 3, note: 'rollback to version 1', restores: 1, own_models: 1 },
      { version: 2, removed: 1 },
      { version: 1, note: 'our own' },
    ]);
    expect(await weir('catalog', 'rollback', '9')).toMatchObject({ code: 2, complaint: expect.stringContaining('no version 9') as string });
    // Events may name the price that was charged meanwhile: its version means nothing else from now on.
    const other = { ...model, prices: [price('0.000001'), price('0.000009', '2026-11-01')] };
    expect(await weir('catalog', 'apply', fileOf([other]), '--yes')).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('another price') as string,
    });
  });

  it('are made at once by programs that import models', async () => {
    const path = fileOf([model, { ...model, id: 'sandbox/other' }]);
    expect(await inJson('catalog', 'import', path)).toEqual({ imported: 2, own_models: 2, changed_models: 2, version: 5 });
    expect(await inJson('catalog', 'import', path)).toEqual({ imported: 2, own_models: 2, changed_models: 0, version: 5 });
  });

  it.each([
    ['no JSON', 'nonsense', 2, 'cannot be read'],
    ['what is no document', { colours: [] }, 2, 'no document of the catalogue'],
    ['a price that looks like one per million', [{ ...model, prices: [price('1')] }], 1, 'sandbox/own'],
    ['what is no model at all', [{ id: 'x' }], 1, 'catalogue model 1 (x): provider'],
    ['a known model without the prices it had', [{ ...model, id: 'sandbox/chat' }], 1, 'append to the prices'],
    ['a provider with a setting that there is none of', { providers: [{ id: 'acme', colour: 'red' }] }, 1, 'provider 1 (acme)'],
    [
      'a provider in the place of one with an interface of its own',
      { providers: [{ ...provider(), id: 'vertex' }] },
      1,
      'interface of its own',
    ],
  ])('are refused as a whole: %s', async (_, changes, code, complaint) => {
    const before = await inJson('catalog', 'history');
    for (const command of ['apply', 'import']) {
      const line = ['catalog', command, fileOf(changes), ...(command === 'apply' ? ['--yes'] : [])];
      expect(await weir(...line)).toMatchObject({ code, complaint: expect.stringContaining(complaint) as string });
    }
    expect(await inJson('catalog', 'history')).toEqual(before);
  });
});

function provider(): object {
  const env = { apiKey: ['ACME_API_KEY'], baseUrl: [] };
  return { id: 'acme', name: 'Acme', baseUrl: 'https://acme.example/v1', env, endpoints: { chat: '/chat/completions' } };
}

describe('lists of others', () => {
  let server: Server;
  const asked: IncomingHttpHeaders[] = [];
  const pricing = { prompt: '0.0000012', completion: '0.000002' };
  let reply: object = { data: [] };
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.headers);
      response.end(JSON.stringify(reply));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    environment = { ...environment, FETCH_PORTS: String(port), FETCH_PRIVATE_NETWORKS: '127.0.0.0/8', LIST_KEY: 'a-key-of-the-list' };
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/models`;

  it('become a proposal, which changes nothing until it is accepted', async () => {
    reply = {
      data: [
        { id: 'own', pricing },
        { id: 'new', pricing },
        { id: 'far', pricing: { ...pricing, prompt: '0.1' } },
      ],
    };
    const line = ['--source', `${address()}?limit=5`, '--format', 'openrouter', '--provider', 'sandbox', '--key-env', 'LIST_KEY'];
    const { printed } = await weir('catalog', 'sync', ...line);

    expect(asked[0]?.authorization).toBe('Bearer a-key-of-the-list');
    expect(printed).toContain('~ sandbox/own\n    input: 0.000001 → 0.0000012 USD (+20 %)');
    expect(printed).toContain('Proposal 1: weir catalog accept 1');
    expect(printed).not.toContain('a-key-of-the-list');
    expect(await inJson('catalog', 'proposals')).toMatchObject({
      proposals: [{ id: 1, source: address(), new_models: 2, changed_prices: 1 }],
    });
    expect(await inJson('catalog', 'show')).toMatchObject({ version: 5 });
  });

  it('are accepted in part, once', async () => {
    expect(await weir('catalog', 'accept', '1', '--yes')).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('more than 0.01') as string,
    });
    const line = ['catalog', 'accept', '1', '--only', 'sandbox/own', '--only', 'sandbox/new', '--from', '2026-11-20'];
    expect((await weir(...line)).printed).toContain('Nothing was changed yet');
    expect((await weir(...line, '--yes')).printed).toContain('This is version 6.');

    expect(await inJson('catalog', 'show', 'sandbox/own')).toMatchObject({
      prices: [{}, { version: '2026-11-20', validFrom: '2026-11-20' }],
    });
    expect(await inJson('catalog', 'show', 'sandbox/new')).toMatchObject({ prices: [{ version: '2026-11-20' }] });
    expect(await weir(...line, '--yes')).toMatchObject({ code: 1, complaint: 'weir: No proposal 1 waits.\n' });
  });

  it('are kept apart where a price is implausible, and dismissed', async () => {
    const list = fileOf({ data: [{ id: 'own', pricing: { prompt: '0.00002', completion: '0.000002' } }] });
    const { printed } = await weir('catalog', 'sync', '--source', list, '--format', 'openrouter', '--provider', 'sandbox');

    expect(printed).toContain('~ sandbox/own (implausible: a factor of ten or more)');
    expect(await weir('catalog', 'accept', '2', '--yes')).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('--despite-implausible') as string,
    });
    expect((await weir('catalog', 'accept', '2', '--despite-implausible')).printed).toContain('input: 0.0000012 → 0.00002 USD');
    expect(await inJson('catalog', 'dismiss', '2')).toEqual({ dismissed: 2 });
    expect((await weir('catalog', 'dismiss', '2')).complaint).toContain('No proposal 2 waits');
  });

  it.each([
    ['an address with a password', ['--source', 'https://ann:secret@acme.example/', '--format', 'openai'], 'no user and password'],
    ['an address that is not public', ['--source', 'http://10.0.0.1/', '--format', 'openai'], 'source'],
    ['an unknown format', ['--source', 'list.json', '--format', 'yaml'], '--format is one of openai, anthropic, openrouter, litellm, weir'],
    ['a variable that is not set', ['--source', 'https://acme.example/', '--format', 'openai', '--key-env', 'NO_KEY'], 'NO_KEY is not set'],
  ])('are refused: %s', async (_, line, complaint) => {
    const refused = await weir('catalog', 'sync', ...line);
    expect(refused.complaint).toContain(complaint);
    expect([refused.code === 0, refused.complaint.includes('secret')]).toEqual([false, false]);
  });
});
