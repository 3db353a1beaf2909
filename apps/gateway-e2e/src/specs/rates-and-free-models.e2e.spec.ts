import { waitUntil } from '@weir/testing';
import type { ClientHarness } from '../harness/client-harness';
import { startClientHarness } from '../harness/start-client-harness';

type Reply = { readonly status: number; readonly headers: Headers; readonly text: string };
type Case = { readonly name: string; readonly path: string; readonly body: Record<string, unknown> };

const HELLO = [{ role: 'user', content: 'Hello there' }];
const FREE = 'sandbox/chat-free';

/** Every family of endpoints, whole and streamed; `model` is a chat model. */
function listCases(model: string): Case[] {
  const chat: Case[] = [
    { name: 'chat completions', path: '/v1/chat/completions', body: { model, messages: HELLO } },
    { name: 'responses', path: '/v1/responses', body: { model, input: 'Hello there' } },
    { name: 'messages', path: '/v1/messages', body: { model, max_tokens: 50, messages: HELLO } },
  ];
  return chat.flatMap((one) => [one, { ...one, name: `${one.name}, streamed`, body: { ...one.body, stream: true } }]);
}

const PRICED: readonly Case[] = [
  ...listCases('sandbox/chat'),
  { name: 'chat completions, translated', path: '/v1/chat/completions', body: { model: 'anthropic/claude-sonnet-4-5', messages: HELLO } },
  { name: 'embeddings', path: '/v1/embeddings', body: { model: 'sandbox/embedding', input: 'Hello there' } },
];

describe('request rates and free models through the whole gateway', () => {
  let harness: ClientHarness;
  beforeAll(async () => {
    harness = await startClientHarness();
  });
  afterAll(() => harness.stop());

  async function call(method: string, path: string, body?: unknown): Promise<Reply> {
    const reply = await fetch(harness.url + path, {
      method,
      headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  }
  const post = (path: string, body: unknown): Promise<Reply> => call('POST', path, body);
  async function manage(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const { status, text } = await call(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  }
  const expectDialect = (path: string, text: string): void => {
    const envelope = JSON.parse(text) as { type?: string; error: { type?: string; origin?: string; code?: string } };
    if (path === '/v1/messages') expect(envelope).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
    else expect(envelope).toMatchObject({ error: { origin: 'router', code: 'rate_limited' } });
  };

  describe('a member’s rate', () => {
    const limitOf = ({ headers }: Reply): string | null => headers.get('x-ratelimit-limit-requests');
    let path: string;

    beforeAll(async () => {
      const { members } = (await manage('GET', '/v1/manage/org/member')) as { members: { user_id: string }[] };
      const member = members[0]?.user_id ?? '';
      const { group_id } = await manage('POST', '/v1/manage/group', { name: 'Everybody' });
      await manage('POST', `/v1/manage/group/${String(group_id)}/member`, { user_id: member, role: 'member' });
      path = `/v1/manage/group/${String(group_id)}/member/${member}/rate-limit`;
    });

    it.each(PRICED)('without one, $name is served without headers of a rate', async (one) => {
      const reply = await post(one.path, one.body);

      expect([reply.status, limitOf(reply)]).toEqual([200, null]);
    });

    it('every served request reports what is left, over all keys of the member', async () => {
      await manage('PUT', path, { rate_limit: 20 });
      const { api_key } = await manage('POST', '/v1/manage/apikey', { name: 'another', permissions: { completions: 'write' } });
      await waitUntil(
        'the settings reach the edge',
        async () => limitOf(await post('/v1/chat/completions', { model: 'no-one/nothing' })) === '20',
      );

      const before = await post('/v1/embeddings', { model: 'sandbox/embedding', input: 'a' });
      const other = await fetch(`${harness.url}/v1/messages`, {
        method: 'POST',
        headers: { 'x-api-key': String(api_key), 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'sandbox/chat', max_tokens: 5, messages: HELLO }),
      });
      await other.text();
      const left = (headers: Headers): number => Number(headers.get('x-ratelimit-remaining-requests'));

      expect([before.status, other.status]).toEqual([200, 200]);
      expect(left(other.headers)).toBe(left(before.headers) - 1);
      expect(other.headers.get('x-ratelimit-reset-requests')).toMatch(/^\d+(\.\d+)?s$/);
    });

    it('used up, every endpoint is refused in its dialect, until the time in Retry-After', async () => {
      await manage('PUT', path, { rate_limit: 1 });
      await waitUntil('the settings reach the edge', async () => {
        const reply = await post('/v1/chat/completions', { model: 'no-one/nothing' });
        return reply.status === 429 && limitOf(reply) === '1';
      });
      const asked = harness.upstream.requests.length;

      for (const one of PRICED) {
        const reply = await post(one.path, one.body);
        expect([one.name, reply.status, limitOf(reply), reply.headers.get('x-ratelimit-remaining-requests')]).toEqual([
          one.name,
          429,
          '1',
          '0',
        ]);
        const wait = Number(reply.headers.get('retry-after'));
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(60);
        expect(reply.headers.get('x-should-retry')).toBe('true');
        expectDialect(one.path, reply.text);
      }
      expect(harness.upstream.requests).toHaveLength(asked);
    });

    it('lifted, requests are served again', async () => {
      await manage('PUT', path, { rate_limit: 0 });

      await waitUntil(
        'the settings reach the edge',
        async () => (await post('/v1/chat/completions', { model: 'sandbox/chat', messages: HELLO })).status === 200,
      );
    });
  });

  describe('the free-model day', () => {
    const CASES = listCases(FREE);
    const ask = (content: string, more: object = {}): Promise<Reply> =>
      post('/v1/chat/completions', { model: FREE, messages: [{ role: 'user', content }], ...more });

    it('gives places back for requests that fail without a token, and lets 200 be served, no more', async () => {
      for (const one of CASES) expect([one.name, (await post(one.path, one.body)).status]).toEqual([one.name, 200]);
      const failed = await Promise.all([
        ask('!status 500'),
        ask('!status 429'),
        ask('!status 500', { stream: true }),
        post('/v1/responses', { model: FREE, input: '!status 503' }),
        post('/v1/messages', { model: FREE, max_tokens: 5, messages: [{ role: 'user', content: '!status 500' }] }),
        ask('hi', { stream: 'yes' }),
      ]);
      expect(failed.map(({ status }) => status >= 400)).toEqual(failed.map(() => true));

      const served: number[] = [];
      const clients = Array.from({ length: 64 }, async () => {
        for (let count = 0; count < 4; count += 1) served.push((await ask('hi')).status);
      });
      await Promise.all(clients);

      expect(served.filter((status) => status === 200)).toHaveLength(200 - CASES.length);
      expect(new Set(served)).toEqual(new Set([200, 429]));
    }, 60_000);

    it.each(CASES)('used up, $name is refused until midnight UTC; a priced model is not', async (one) => {
      const reply = await post(one.path, one.body);

      expect(reply.status).toBe(429);
      const midnight = 86_400 - (Math.floor(Date.now() / 1000) % 86_400);
      expect(Math.abs(Number(reply.headers.get('retry-after')) - midnight)).toBeLessThanOrEqual(2);
      expectDialect(one.path, reply.text);
      expect((await post(one.path, { ...one.body, model: 'sandbox/chat' })).status).toBe(200);
    });

    it('goes on at once for an organization that has paid', async () => {
      await manage('PATCH', '/v1/manage/org', { tier: 'paying' });

      await waitUntil('the settings reach the edge', async () => (await ask('hi')).status === 200);
      for (const one of CASES) expect([one.name, (await post(one.path, one.body)).status]).toEqual([one.name, 200]);
    });
  });
});
