import { createDefaultReply, makeTestFolder, startFakeUpstream, type FakeUpstream } from '@weir/testing';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { callUntil, createCallHarness, type CallHarness } from '../harness/call-harness';
import { startStandalone, type Harness } from '../harness/start-standalone';

const CHAT = { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] };
const KEYS = { big: 'sk-of-account-big-0123456789', small: 'sk-of-account-small-0123456789', next: 'sk-of-account-next-0123456789' };

/** A vault with one secret, as its engine KV version 2 returns it. `key` may be another one at any time. */
async function startVault(path: string, token: string) {
  const vault = { key: '', url: '', stop: (): void => undefined };
  const server = createServer(({ url, headers }, response) => {
    if (headers['x-vault-token'] !== token) return response.writeHead(403).end('{"errors":["permission denied"]}');
    const found = url === `/v1/${path}` ? { data: { api_key: vault.key }, metadata: { version: 1 } } : { ttl: 0, renewable: false };
    return response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: found }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vault.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vault.stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return vault;
}

const SECRET = 'secret/data/weir/openai';

describe('several accounts at one provider', () => {
  const folder = makeTestFolder('accounts-e2e');
  const path = join(folder, 'providers.json');
  const keyFile = join(folder, 'small-key');
  let harness: Harness;
  let upstream: FakeUpstream;
  let call: CallHarness;
  let vault: Awaited<ReturnType<typeof startVault>>;
  const refused = new Set<string>();

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    const isRefused = ({ headers }: { headers: Record<string, unknown> }): boolean =>
      refused.has(String(headers['authorization']).replace('Bearer ', ''));
    upstream.reply({ status: 401, body: { error: { message: 'Incorrect API key provided' } } }, { when: isRefused });
    writeFileSync(keyFile, KEYS.small);
    const base = { provider: 'openai', base_url: `${upstream.url}/v1` };
    const accounts = [
      { ...base, id: 'big', weight: 3, api_key: { env: 'KEY_OF_BIG' } },
      { ...base, id: 'small', weight: 1, region: 'eu', api_key: { file: keyFile } },
    ];
    writeFileSync(path, JSON.stringify({ accounts }));
    vault = await startVault(SECRET, 'hvs.of-the-gateway');
    const env = { PROVIDER_ACCOUNTS_FILE: path, PROVIDER_ACCOUNTS_POLL_MS: '200', KEY_OF_BIG: KEYS.big };
    harness = await startStandalone({ env: { ...env, VAULT_ADDR: vault.url, VAULT_TOKEN: 'hvs.of-the-gateway' } });
    call = createCallHarness(harness);
  }, 60_000);
  afterAll(async () => {
    await harness.process.terminate();
    await upstream.stop();
    vault.stop();
  });

  const keyAt = (index: number): string => String(upstream.requests.at(index)?.headers.authorization).replace('Bearer ', '');
  const send = async (times: number): Promise<Set<number>> => {
    const statuses = new Set<number>();
    for (let index = 0; index < times; index += 1) statuses.add((await call('POST /v1/chat/completions', CHAT)).status);
    return statuses;
  };

  it('shares requests by weight', async () => {
    expect([...(await send(200))]).toEqual([200]);
    const share = upstream.requests.filter((_, index) => keyAt(index) === KEYS.big).length / 200;
    // Four standard deviations of 200 draws.
    expect(Math.abs(share - 0.75)).toBeLessThan(0.13);
  }, 30_000);

  it('serves every request while a key is refused', async () => {
    refused.add(KEYS.big);
    expect([...(await send(10))]).toEqual([200]);
    expect(keyAt(-1)).toBe(KEYS.small);
  });

  it('takes over a rotated key without a restart or a failed request, also where the old one is refused at once', async () => {
    writeFileSync(`${keyFile}.new`, KEYS.next);
    renameSync(`${keyFile}.new`, keyFile);
    refused.add(KEYS.small);
    expect([...(await send(10))]).toEqual([200]);
    expect(keyAt(-1)).toBe(KEYS.next);
    writeFileSync(path, '{ "accounts": [{"api_key": "sk-of-a-broken-file-0123456789"');
    await harness.process.waitFor(/cannot be read; what was there before stays in force/);
    expect([...(await send(3))]).toEqual([200]);
  });

  it('lists the accounts, and shows no key anywhere', async () => {
    const find = (reply: { json: Record<string, unknown> }): { accounts?: { id: string }[] } | undefined =>
      (reply.json['providers'] as { id: string; accounts?: { id: string }[] }[]).find(({ id }) => id === 'openai');
    const reply = await callUntil(
      () => call('GET /v1/manage/provider'),
      (each) => find(each)?.accounts?.length === 2,
    );
    expect(find(reply)?.accounts).toMatchObject([
      { id: 'big', weight: 3, region: null },
      { id: 'small', region: 'eu' },
    ]);
    const { json } = await call('GET /v1/generation');
    const [newest] = json['generations'] as { id: string }[];
    const generation = await call(`GET /v1/generation/${newest?.id}`);
    expect(generation.text).toContain('account small of openai');
    const seen = JSON.stringify([reply.json, json, generation.json]) + harness.process.output();
    for (const key of [...Object.values(KEYS), 'sk-of-a-broken-file']) expect(seen).not.toContain(key);
  }, 20_000);

  it('goes on to the next account when one has used its tokens of the minute', async () => {
    const METERED = 'sk-of-account-metered-0123456789';
    const usage = { prompt_tokens: 900, completion_tokens: 300, total_tokens: 1_200 };
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }];
    const body = { id: 'c', object: 'chat.completion', created: 1, model: 'gpt-4o-mini', choices, usage };
    upstream.reply({ body }, { when: ({ headers }) => headers['authorization'] === `Bearer ${METERED}` });
    const base = { provider: 'openai', base_url: `${upstream.url}/v1` };
    const metered = { ...base, id: 'metered', tokens_per_minute: 1_000, api_key: METERED };
    writeFileSync(path, JSON.stringify({ accounts: [metered, { ...base, id: 'spare', weight: 0, api_key: KEYS.next }] }));
    await harness.process.waitFor(/"changed":\["openai\/metered","openai\/spare"\]/);
    const before = upstream.requests.length;
    // 1,200 of 1,000 are used by the first: it is worked off in twelve seconds.
    expect([...(await send(3))]).toEqual([200]);
    expect(upstream.requests.slice(before).map((_, index) => keyAt(before + index))).toEqual([METERED, KEYS.next, KEYS.next]);
  }, 20_000);

  it('goes to the account that has more left of what its provider allows', async () => {
    const [nearly, plenty] = ['sk-of-account-nearly-0123456789', 'sk-of-account-plenty-0123456789'];
    const sayLeft = (key: string, remaining: number): void =>
      upstream.reply(
        (request) => ({
          ...createDefaultReply(request),
          headers: {
            'x-ratelimit-limit-requests': '100',
            'x-ratelimit-remaining-requests': String(remaining),
            'x-ratelimit-reset-requests': '10m0s',
          },
        }),
        { when: ({ headers }) => headers['authorization'] === `Bearer ${key}` },
      );
    sayLeft(nearly, 5);
    sayLeft(plenty, 85);
    const base = { provider: 'openai', base_url: `${upstream.url}/v1` };
    const accounts = [
      { ...base, id: 'nearly', weight: 3, api_key: nearly },
      { ...base, id: 'plenty', api_key: plenty },
    ];
    writeFileSync(path, JSON.stringify({ accounts }));
    await harness.process.waitFor(/"changed":\["openai\/nearly","openai\/plenty"\]/);
    // Both are asked until both have said what is left; three of four went to the other one by their weights.
    const before = upstream.requests.length + 2;
    expect([...(await send(14))]).toEqual([200]);
    expect(new Set(upstream.requests.slice(before).map((_, index) => keyAt(before + index)))).toEqual(new Set([plenty]));
  }, 20_000);

  it('takes over a key that was rotated in Vault, without a restart or a failed request', async () => {
    const [first, second] = ['sk-in-vault-first-0123456789', 'sk-in-vault-second-0123456789'];
    vault.key = first;
    const base = { provider: 'openai', base_url: `${upstream.url}/v1` };
    const api_key = { vault: { path: SECRET, field: 'api_key' } };
    writeFileSync(path, JSON.stringify({ accounts: [{ ...base, id: 'in-vault', api_key }] }));
    await harness.process.waitFor(/"changed":\["openai\/in-vault"\]/);
    expect([...(await send(2)), keyAt(-1)]).toEqual([200, first]);
    vault.key = second;
    refused.add(first);
    expect([...(await send(3)), keyAt(-1)]).toEqual([200, second]);
    for (const key of [first, second, 'hvs.of-the-gateway']) expect(harness.process.output()).not.toContain(key);
  }, 20_000);
});
