import { waitUntil } from '@weir/testing';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startStandalone, type Harness } from '../harness/start-standalone';

type Reply = { readonly status: number; readonly headers: Headers; readonly json: Record<string, unknown> };

const runFile = promisify(execFile);
const HELLO = [{ role: 'user', content: '!tokens 1000' }];
const REQUESTS: readonly (readonly [path: string, body: Record<string, unknown>])[] = [
  ['/v1/chat/completions', { model: 'sandbox/chat', max_tokens: 1000, messages: HELLO }],
  ['/v1/messages', { model: 'sandbox/chat', max_tokens: 1000, messages: HELLO }],
  ['/v1/responses', { model: 'sandbox/chat', max_output_tokens: 1000, input: '!tokens 1000' }],
  ['/v1/embeddings', { model: 'sandbox/embedding', input: 'Hello there' }],
];

describe('an organization’s balance', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startStandalone({ env: { BALANCE_REQUIRED: 'true', AUTO_TOP_UP: 'recorded' } });
  });
  afterAll(async () => expect(await harness.process.terminate()).toBe(0));

  async function call(method: string, path: string, body?: unknown): Promise<Reply> {
    const reply = await fetch(`${harness.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
  }
  const askAll = async (more: object = {}): Promise<Reply[]> => {
    const replies: Reply[] = [];
    for (const [path, body] of REQUESTS) replies.push(await call('POST', path, { ...body, ...more }));
    return replies;
  };
  const readTotal = async (): Promise<number> =>
    Number(((await call('GET', '/v1/manage/balance')).json['balance'] as { total: string }).total);

  async function addMoney(usd: string): Promise<void> {
    const organization = (await call('GET', '/v1/manage/org')).json['organization'] as { id: string };
    const args = ['apps/operator/bin/weir.cjs', 'balance', 'add', '--organization', organization.id, '--amount', usd];
    await runFile(process.execPath, args, { env: { PATH: process.env['PATH'], DATA_DIR: harness.dataDir } });
  }

  const isServed = async (): Promise<boolean> => (await askAll()).every(({ status }) => status === 200);

  function expectRefused(replies: readonly Reply[]): void {
    expect(replies.map(({ status }) => status)).toEqual(REQUESTS.map(() => 402));
    for (const { headers, json } of replies) {
      expect(headers.get('x-should-retry')).toBe('false');
      expect((json as { error: { message: string } }).error.message).toContain('balance');
    }
  }

  it('without money every request that costs is refused, and a free model is served', async () => {
    expectRefused(await askAll());
    expect(await call('POST', '/v1/messages', REQUESTS[1]?.[1])).toMatchObject({
      json: { type: 'error', error: { type: 'billing_error' } },
    });
    expect((await call('POST', '/v1/chat/completions', { model: 'sandbox/chat-free', messages: HELLO })).status).toBe(200);
  });

  it('with money they are served until it is used up, and never beyond', async () => {
    await addMoney('0.05');
    await waitUntil('every endpoint serves', isServed);
    for (let tries = 0; tries < 200; tries += 1) {
      const { status } = await call('POST', '/v1/chat/completions', REQUESTS[0]?.[1]);
      if (status !== 200) {
        expect(status).toBe(402);
        break;
      }
    }
    // What is left is too little for the dearest of them.
    expect((await call('POST', '/v1/chat/completions', REQUESTS[0]?.[1])).status).toBe(402);
    await waitUntil('the balance is used up', async () => (await readTotal()) < 0.02);
    expect(await readTotal()).toBeGreaterThanOrEqual(0);
  });

  it('an automatic top-up charges once, and requests are served again', async () => {
    const before = await readTotal();
    const settings = { threshold: 0.5, amount: 1, monthly_cap: 1 };
    expect((await call('PUT', '/v1/manage/balance/auto-top-up', settings)).status).toBeLessThan(300);
    await waitUntil('the balance is topped up', async () => (await readTotal()) > 0.5);
    await waitUntil('every endpoint serves', isServed);
    const { history } = (await call('GET', '/v1/manage/balance/history')).json as { history: { kind: string; amount: string }[] };
    expect(history.filter(({ kind }) => kind === 'top_up').map(({ amount }) => Number(amount))).toEqual([1, 0.05]);
    expect(await readTotal()).toBeLessThanOrEqual(before + 1);
  });
});
