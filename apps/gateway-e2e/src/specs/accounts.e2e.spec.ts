import { makeTestFolder, startFakeUpstream, type FakeUpstream } from '@weir/testing';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUntil, createCallHarness, type CallHarness } from '../harness/call-harness';
import { startStandalone, type Harness } from '../harness/start-standalone';

const CHAT = { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] };
const KEYS = { big: 'sk-of-account-big-0123456789', small: 'sk-of-account-small-0123456789', next: 'sk-of-account-next-0123456789' };

describe('several accounts at one provider', () => {
  const folder = makeTestFolder('accounts-e2e');
  const path = join(folder, 'providers.json');
  const keyFile = join(folder, 'small-key');
  let harness: Harness;
  let upstream: FakeUpstream;
  let call: CallHarness;
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
    const env = { PROVIDER_ACCOUNTS_FILE: path, PROVIDER_ACCOUNTS_POLL_MS: '200', KEY_OF_BIG: KEYS.big };
    harness = await startStandalone({ env });
    call = createCallHarness(harness);
  }, 60_000);
  afterAll(async () => {
    await harness.process.terminate();
    await upstream.stop();
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
});
