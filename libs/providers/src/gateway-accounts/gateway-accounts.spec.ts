import { createSecretSource } from '@weir/secret-source';
import { makeTestFolder } from '@weir/testing';
import type { UpstreamCall, UpstreamTransport } from '@weir/upstream-http';
import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildTarget } from '../__fixtures__/build-target';
import { dispatchCall } from '../calls/dispatch-call';
import { createProviderDirectory } from '../directory/provider-directory';
import type { Provider } from '../provider/provider';
import { AccountBook } from './account-book';
import { readAccountSpecs, readAccountVariables } from './read-account-specs';

const KNOWN = ['openai', 'openai-responses', 'azure', 'vllm', 'sandbox'];
const call = { path: '/chat/completions', body: '{}' };
const target = buildTarget();

const read = (accounts: unknown): unknown => readAccountSpecs(JSON.stringify({ accounts }), 'providers.json', KNOWN);
const one = { id: 'eu-1', provider: 'openai', api_key: 'sk-literal-0123456789' };

describe('a file of accounts', () => {
  it.each([
    [[{ ...one, weight: -1 }], 'accounts[0].weight'],
    [[{ ...one, api_key: { secret: 'x' } }], 'accounts[0].api_key: must be a text, or one of'],
    [[{ ...one, colour: 'red' }], 'accounts[0]: Unrecognized key: "colour"'],
    [[{ ...one, provider: 'unheard-of' }], 'accounts[0] ("eu-1"): the provider "unheard-of" is not known'],
    [[{ ...one, provider: 'azure' }], 'accounts[0] ("eu-1"): resource_name is missing'],
    [[{ ...one, region: 'mars' }], 'accounts[0].region'],
    [[{ ...one, idle_ms: 5 }], 'accounts[0].idle_ms'],
    [[{ id: 'a', provider: 'openai' }], 'api_key is missing'],
    [[one, one], 'there are two accounts "eu-1" at openai'],
  ])('names the place in %j', (accounts, message) => {
    expect(() => read(accounts)).toThrow(
      `providers.json: ${message}`.replace('providers.json: api_key', 'api_key').replace('providers.json: there', 'there'),
    );
    expect(() => read(accounts)).not.toThrow('sk-literal');
  });

  it('repeats nothing of a text that is no JSON', () => {
    const text = '{"accounts": [\n{"api_key": "sk-literal-0123456789" oops';
    expect(() => readAccountSpecs(text, 'providers.json', KNOWN)).toThrow(/^providers.json: is no JSON/);
    expect(() => readAccountSpecs(text, 'providers.json', KNOWN)).not.toThrow('sk-');
  });

  it('is written in a variable for one provider', () => {
    const env = (name: string) => (name === 'PROVIDER_OPENAI_ACCOUNTS' ? '[{"id":"a","api_key":{"env":"A_KEY"}}]' : undefined);
    expect(readAccountVariables(env, KNOWN)).toMatchObject([{ id: 'a', provider: 'openai', weight: 1 }]);
    expect(() => readAccountVariables((name) => (name.includes('OPENAI_A') ? '{}' : undefined), KNOWN)).toThrow('must be a JSON list');
  });
});

type Reply = { readonly status: number };

class Body extends EventEmitter {
  destroy(): void {
    this.emit('close');
  }
}

function open(accounts: readonly object[], reply: (call: UpstreamCall) => Reply = () => ({ status: 200 })) {
  const folder = makeTestFolder('accounts');
  const path = join(folder, 'providers.json');
  const write = (list: readonly object[]): void => writeFileSync(path, JSON.stringify({ accounts: list }));
  write(accounts);
  const bodies: Body[] = [];
  const calls: UpstreamCall[] = [];
  const transport = (sent: UpstreamCall) => {
    calls.push(sent);
    bodies.push(new Body());
    return Promise.resolve({ ...reply(sent), headers: {}, body: bodies.at(-1) });
  };
  const env = (name: string) => (name === 'OPENAI_API_KEY' ? 'sk-of-the-environment' : undefined);
  const clock = { nowMs: 0 };
  const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
  const faults: [string, number][] = [];
  const parts = { env, transport: transport as unknown as UpstreamTransport };
  const book = new AccountBook({
    ...parts,
    ...{ path, log, now: () => clock.nowMs, showFaults: (kind, count) => faults.push([kind, count]) },
    secrets: createSecretSource({ env }),
    directory: createProviderDirectory(parts),
  });
  const find = (id: string, provider = 'openai'): Provider | undefined =>
    book.list(provider).find((account) => account.id === id)?.provider;
  const keyOf = (id: string): unknown => find(id)?.authorize(call, target);
  const send = async (id: string, bytes = 2) => {
    const provider = find(id) as Provider;
    const sized = { ...call, body: 'x'.repeat(bytes) };
    const authorization = await provider.authorize(sized, target);
    const timeouts = { headersTimeoutMs: 1, idleTimeoutMs: 1 };
    return dispatchCall({ provider, call: sized, authorization, target }, timeouts, {} as never);
  };
  return { folder, path, write, book, calls, bodies, clock, log, faults, find, keyOf, send };
}

describe('the book of accounts', () => {
  it('has the accounts of the file beside the key of the environment, also for the vendor’s other interface', async () => {
    const { book, keyOf, find } = open([
      { ...one, region: 'eu', weight: 3, models: ['openai/gpt-4*'], first_content_ms: 700, idle_ms: 900 },
    ]);
    await book.open();
    expect(book.list('openai').map(({ id, weight, region }) => [id, weight, region])).toEqual([
      ['default', 1, null],
      ['eu-1', 3, 'eu'],
    ]);
    expect([keyOf('default'), keyOf('eu-1')]).toEqual([
      { authorization: 'Bearer sk-of-the-environment' },
      { authorization: 'Bearer sk-literal-0123456789' },
    ]);
    expect(find('eu-1', 'openai-responses')?.deadlines).toEqual({ firstContentMs: 700, idleMs: 900 });
    expect(['openai/gpt-4o', 'openai/o3'].map((id) => book.list('openai')[1]?.serves(id))).toEqual([true, false]);
  });

  it('takes a rotated secret over, keeps what is not changed, and what was good where the new is broken', async () => {
    const parts = open([]);
    const { book, folder, path, write, keyOf, find, log, faults } = parts;
    const file = join(folder, 'key');
    writeFileSync(file, 'sk-first-0123456789');
    write([
      { ...one, id: 'a', api_key: { file } },
      { ...one, id: 'b' },
    ]);
    await book.open();
    const [before, unchanged, version] = [find('a'), find('b'), book.version()];

    writeFileSync(file, 'sk-second-0123456789');
    await book.refresh();
    expect([keyOf('a'), find('b') === unchanged, book.version() === version]).toEqual([
      { authorization: 'Bearer sk-second-0123456789' },
      true,
      false,
    ]);
    expect(before?.authorize(call, target)).toEqual({ authorization: 'Bearer sk-first-0123456789' });

    writeFileSync(path, '{ broken');
    writeFileSync(file, '');
    await book.refresh();
    await book.refresh();
    expect(keyOf('a')).toEqual({ authorization: 'Bearer sk-second-0123456789' });
    expect([log.error.mock.calls.length, faults.map(([kind]) => kind).sort()]).toEqual([2, ['account', 'file']]);
    expect(JSON.stringify([log.info.mock.calls, log.error.mock.calls])).not.toContain('sk-');

    write([{ ...one, id: 'b' }]);
    await book.refresh();
    expect([find('a'), find('b') === unchanged, faults.slice(-2).map(([, count]) => count)]).toEqual([undefined, true, [0, 0]]);
  });

  it('reads the secret of a refused key again at once, and sends once more with a newer one alone', async () => {
    const { book, folder, write, calls, clock, send } = open([], ({ headers }) => ({
      status: headers['authorization'] === 'Bearer sk-second-0123456789' ? 200 : 401,
    }));
    const file = join(folder, 'key');
    writeFileSync(file, 'sk-first-0123456789');
    write([{ ...one, id: 'a', api_key: { file } }]);
    await book.open();
    expect([(await send('a')).status, calls.length]).toEqual([401, 1]);
    clock.nowMs = 5_000;
    writeFileSync(file, 'sk-second-0123456789');
    expect([(await send('a')).status, calls.length]).toEqual([200, 3]);
  });

  it('keeps to the limits of an account, also under its next secret', async () => {
    const { book, write, bodies, clock, send } = open([
      { ...one, id: 'a', concurrent: 1 },
      { ...one, id: 'b', requests_per_minute: 2 },
    ]);
    await book.open();
    await send('a');
    await expect(send('a')).rejects.toMatchObject({ code: 'provider_rate_limited', details: { retryAfterSeconds: 1 } });
    write([
      { ...one, id: 'a', concurrent: 1, api_key: 'sk-another-0123456789' },
      { ...one, id: 'b', requests_per_minute: 2 },
    ]);
    await book.refresh();
    await expect(send('a')).rejects.toMatchObject({ code: 'provider_rate_limited' });
    bodies[0]?.destroy();
    expect((await send('a')).status).toBe(200);

    await send('b');
    await send('b');
    await expect(send('b')).rejects.toMatchObject({ details: { retryAfterSeconds: 30 } });
    clock.nowMs = 30_000;
    expect((await send('b')).status).toBe(200);
  });

  it('holds tokens by the text of a call, and settles them by what was used', async () => {
    const { book, bodies, clock, send } = open([{ ...one, id: 'a', tokens_per_minute: 600 }]);
    await book.open();
    const [account] = book.list('openai').filter(({ id }) => id === 'a');
    const end = (at: number, tokens: number): void => {
      bodies[at]?.destroy();
      account?.noteTokens(tokens);
    };
    const refused = (retryAfterSeconds: number) => ({ code: 'provider_rate_limited', details: { retryAfterSeconds } });
    // 400 tokens of 600: another one of 400 has to wait for what this one uses.
    await send('a', 1_600);
    await expect(send('a', 1_600)).rejects.toMatchObject(refused(1));
    await send('a', 400);
    end(0, 100);
    end(1, 450);
    // 50 are left, and 275 or so are usual.
    await expect(send('a', 4)).rejects.toMatchObject(refused(9));
    clock.nowMs = 9_000;
    await send('a', 4);
    // More than was held: the debt is worked off before the next one.
    end(2, 1_100);
    await expect(send('a', 4)).rejects.toMatchObject({ code: 'provider_rate_limited' });
    expect(account?.provider.id).toBe('openai');
    clock.nowMs = 9_000 + 120_000;
    await send('a', 4);
    end(3, 600);
    // What is larger than the whole limit goes when all of it is there.
    clock.nowMs += 59_000;
    await expect(send('a', 100_000)).rejects.toMatchObject({ code: 'provider_rate_limited' });
    clock.nowMs += 61_000;
    expect((await send('a', 100_000)).status).toBe(200);
  });
});
