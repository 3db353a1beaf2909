import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startFakeUpstream, type FakeUpstream } from '@weir/testing';
import { callUntil, createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';
import { readUsage } from '../harness/read-usage';
import { startStandalone, type Harness } from '../harness/start-standalone';

const OWN = 'sk-own-0123456789abcdef';
const ROTATED = 'sk-rotated-0123456789abcdef';
const GROQ = 'gsk-own-0123456789abcdef';
const REFUSED = 'sk-refused-0123456789abcdef';
const CHAT = { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] };

describe('an organization’s own provider keys', () => {
  let harness: Harness;
  let upstream: FakeUpstream;
  let call: CallHarness;
  beforeAll(async () => {
    upstream = await startFakeUpstream();
    const url = `${upstream.url}/v1`;
    const env = { OPENAI_API_KEY: 'sk-of-the-operator', OPENAI_BASE_URL: url, GROQ_BASE_URL: url, BALANCE_REQUIRED: 'true' };
    harness = await startStandalone({ env });
    call = createCallHarness(harness);
    const refused = { status: 401, body: { error: { message: `Incorrect API key provided: ${REFUSED}`, type: 'invalid_request_error' } } };
    upstream.reply(refused, { when: ({ headers }) => headers.authorization === `Bearer ${REFUSED}` });
  }, 60_000);
  afterAll(async () => {
    await harness.process.terminate();
    await upstream.stop();
  });

  const chat = (more: object = {}): Promise<HarnessReply> => call('POST /v1/chat/completions', { ...CHAT, ...more });
  const keysSeen = (since: number) => upstream.requests.slice(since).map(({ headers }) => headers.authorization);
  const usesKey = async (send: () => Promise<HarnessReply>, key: string): Promise<HarnessReply> =>
    callUntil(send, ({ status }) => status === 200 && upstream.requests.at(-1)?.headers.authorization === `Bearer ${key}`);
  const addMoney = async (usd: string): Promise<void> => {
    const organization = (await call('GET /v1/manage/org')).json['organization'] as { id: string };
    const args = ['apps/operator/bin/weir.cjs', 'balance', 'add', '--organization', organization.id, '--amount', usd];
    await promisify(execFile)(process.execPath, args, { env: { PATH: process.env['PATH'], DATA_DIR: harness.dataDir } });
  };
  const path = '/v1/manage/provider-credential';
  const keep = async (body: object): Promise<string> => {
    const made = await call(`POST ${path}`, body);
    expect(made.status).toBe(201);
    return String(made.json['id']);
  };

  it('with `only`: chat and embeddings go out with it, are costed and not billed, and never with the gateway’s account', async () => {
    expect((await chat()).status).toBe(402);
    const id = await keep({ provider: 'openai', api_key: OWN, mode: 'only' });

    const served = await usesKey(chat, OWN);
    const { usage } = served.json as { usage: { cost: number } };
    expect(usage.cost).toBeGreaterThan(0);
    expect(served.headers['x-weir-attempts']).toBe('1');
    await usesKey(() => call('POST /v1/embeddings', { model: 'openai/text-embedding-3-small', input: 'Hello' }), OWN);
    await usesKey(() => call('POST /v1/messages', { ...CHAT, max_tokens: 50 }), OWN);
    const streamed = await usesKey(() => chat({ stream: true, stream_options: { include_usage: true } }), OWN);
    expect(streamed.text).toContain('"cost":');

    const byKey = await callUntil(
      async () => call(`GET /v1/manage/org/usage?start=${new Date().toISOString().slice(0, 10)}T00:00:00Z&group_by=is_byok`),
      ({ text }) => text.includes('"total_requests":4'),
    );
    expect(byKey.text).toContain('"is_byok":"true"');
    expect(byKey.text).not.toContain('"is_byok":"false"');
    expect((await call('GET /v1/manage/balance')).text).toContain('"total":"0"');

    await call(`POST ${path}/${id}/rotate`, { api_key: ROTATED });
    await usesKey(chat, ROTATED);
    await call(`POST ${path}/${id}/rotate`, { api_key: REFUSED });
    const refused = await callUntil(chat, ({ status }) => status === 502);
    expect(refused.json).toMatchObject({ error: { code: 'provider_credentials', origin: 'provider' } });
    expect(refused.text).toContain("refused your organization's credential ");
    expect(keysSeen(0)).not.toContain('Bearer sk-of-the-operator');
    await call(`DELETE ${path}/${id}`);
    await callUntil(chat, ({ status }) => status === 402);
  }, 30_000);

  it('R6: what goes out with one counts towards the month of a key, and needs no balance', async () => {
    const id = await keep({ provider: 'openai', api_key: OWN, mode: 'only' });
    await usesKey(chat, OWN);
    const askLimitedTo = async (usd: number): Promise<{ reply: HarnessReply; key: Record<string, string> }> => {
      const made = await call('POST /v1/manage/apikey', {
        name: `limited to ${usd}`,
        monthly_limit: usd,
        permissions: { completions: 'write' },
      });
      const key = { authorization: `Bearer ${String(made.json['api_key'])}` };
      return { reply: await call('POST /v1/chat/completions', { ...CHAT, max_tokens: 50 }, key), key };
    };
    const asked = upstream.requests.length;
    const { reply: refused } = await askLimitedTo(0.000001);
    expect([refused.status, refused.headers['x-should-retry'], upstream.requests.length]).toEqual([412, 'false', asked]);

    const { reply: served, key } = await askLimitedTo(1);
    expect([served.status, keysSeen(asked)]).toEqual([200, [`Bearer ${OWN}`]]);
    const cost = served.headers['x-weir-cost'];
    const page = await callUntil(
      () => call(`GET /v1/generation/${served.headers['x-request-id'] ?? ''}`),
      ({ status }) => status === 200,
    );
    expect(page.json['generation']).toMatchObject({ cost, billed: '0', limits: { scopes: [expect.stringMatching(/^key:/)] } });
    expect(page.json['generation']).toMatchObject({ attempts: [{ own_key: true, cost, billed: '0' }] });
    const self = await call('GET /v1/manage/apikey/self', undefined, key);
    expect(self.json).toMatchObject({ monthly_spend: Number(cost), monthly_limit: 1 });
    expect((await call('GET /v1/manage/balance')).text).toContain('"total":"0"');
    await call(`DELETE ${path}/${id}`);
    await callUntil(chat, ({ status }) => status === 402);
  }, 30_000);

  it('for a provider the gateway has no account with: its models appear, and are served', async () => {
    const model = 'groq/meta/llama-3.1-8b-instant';
    expect((await chat({ model })).status).toBe(404);
    expect((await call('GET /v1/models')).text).not.toContain(`"${model}"`);
    const id = await keep({ provider: 'groq', api_key: GROQ });

    expect((await usesKey(() => chat({ model }), GROQ)).headers['x-weir-provider']).toBe('groq');
    expect((await call('GET /v1/models')).text).toContain(`"${model}"`);
    await call(`DELETE ${path}/${id}`);
    await callUntil(
      () => chat({ model }),
      ({ status }) => status === 404,
    );
  }, 30_000);

  it('with `prefer`: a key the provider refuses is followed by the gateway’s account, and only that one is billed', async () => {
    await keep({ provider: 'openai', api_key: REFUSED, mode: 'prefer' });
    // The gateway's account may follow, and nothing is there to pay for it.
    await callUntil(chat, ({ status }) => status === 402);
    await addMoney('1');
    const seen = upstream.requests.length;
    const served = await callUntil(chat, ({ status }) => status === 200);

    expect(served.headers['x-weir-attempts']).toBe('2');
    expect(keysSeen(seen)).toEqual([`Bearer ${REFUSED}`, 'Bearer sk-of-the-operator']);
    const { usage } = served.json as { usage: { cost: number } };
    const total = async (): Promise<HarnessReply> => call('GET /v1/manage/balance');
    const left = await callUntil(total, ({ text }) => !text.includes('"total":"1"'));
    expect(1 - Number((left.json['balance'] as { total: string }).total)).toBeCloseTo(usage.cost, 9);
    expect((await call('POST /v1/estimate', CHAT)).json).toMatchObject({
      allowed: true,
      attempts: [{ provider: 'openai' }, { provider: 'openai' }],
    });
  }, 30_000);

  it('stand nowhere in the clear: no log line, no file of the gateway, no usage', async () => {
    const secrets = [OWN, ROTATED, GROQ, REFUSED];
    const journal = listFiles(join(harness.dataDir, 'journal')).map((file) => readFileSync(file, 'latin1'));
    const places = [harness.process.output(), JSON.stringify(await readUsage(harness)), ...journal];

    // The search sees what is there.
    expect(journal.join('').includes('groq/meta/llama-3.1-8b-instant')).toBe(true);
    expect(harness.process.output().includes('provider_credentials')).toBe(true);
    for (const secret of secrets) for (const place of places) expect(place.includes(secret)).toBe(false);
  });
});

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
