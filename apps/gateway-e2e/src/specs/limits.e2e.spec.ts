import { encodeSseFrame, startFakeUpstream, type FakeUpstream, type ReplyScript } from '@weir/testing';
import { pointAt } from '../harness/client-harness';
import { usdText } from '../harness/price-by-hand';
import { waitForRequests } from '../harness/read-usage';
import { startStandalone, type Harness } from '../harness/start-standalone';

type Reply = { readonly status: number; readonly headers: Headers; readonly text: string };
type Envelope = { error: { code?: string; message: string; type?: string } };

const HELLO = [{ role: 'user', content: 'Hello there' }];

/** Every family of endpoints that costs money by tokens: express lane and translated, whole and streamed. */
const REQUESTS: readonly (readonly [name: string, path: string, body: Record<string, unknown>])[] = [
  ['chat completions, express', '/v1/chat/completions', { model: 'openai/gpt-4o-mini', max_tokens: 100, messages: HELLO }],
  ['chat completions, translated', '/v1/chat/completions', { model: 'anthropic/claude-sonnet-4-5', max_tokens: 100, messages: HELLO }],
  ['messages, express', '/v1/messages', { model: 'anthropic/claude-sonnet-4-5', max_tokens: 100, messages: HELLO }],
  ['messages, translated', '/v1/messages', { model: 'openai/gpt-4o-mini', max_tokens: 100, messages: HELLO }],
  ['responses, translated', '/v1/responses', { model: 'openai/gpt-4o-mini', max_output_tokens: 100, input: 'Hello there' }],
  ['responses, express', '/v1/responses', { model: 'openai-responses/gpt-4.1', max_output_tokens: 100, input: 'Hello there' }],
  ['embeddings', '/v1/embeddings', { model: 'openai/text-embedding-3-small', input: 'Hello there' }],
];
const CASES = REQUESTS.flatMap(([name, path, body]) =>
  (path === '/v1/embeddings' ? [false] : [false, true]).map((stream) => ({
    name: `${name}${stream ? ', streamed' : ''}`,
    path,
    body: stream ? { ...body, stream } : body,
  })),
);

/** What the vendor's responses interface returns, whole or streamed. */
function answerResponses({ bodyText }: { bodyText: string }): ReplyScript {
  const message = {
    id: 'msg_1',
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
  };
  const response = {
    id: 'resp_1',
    object: 'response',
    created_at: 1_763_596_800,
    status: 'completed',
    model: 'gpt-4.1',
    output: [message],
    usage: {
      input_tokens: 11,
      output_tokens: 2,
      total_tokens: 13,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  };
  if ((JSON.parse(bodyText) as { stream?: boolean }).stream !== true) return { body: response };
  const events = [
    { type: 'response.created', sequence_number: 0, response: { ...response, status: 'in_progress', output: [], usage: null } },
    { type: 'response.completed', sequence_number: 1, response },
  ];
  return { stream: events.map((event) => encodeSseFrame(event, event.type)) };
}

describe('limits of money', () => {
  let harness: Harness;
  let upstream: FakeUpstream;

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    upstream.reply(answerResponses, { when: ({ path }) => path.endsWith('/responses') });
    harness = await startStandalone({ env: pointAt(upstream) });
  });
  afterAll(async () => {
    expect(await harness.process.terminate()).toBe(0);
    await upstream.stop();
  });

  async function post(path: string, body: unknown, key: string): Promise<Reply> {
    const reply = await fetch(`${harness.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  }
  async function manage(method: string, path: string, body: unknown): Promise<Record<string, unknown>> {
    const reply = await fetch(`${harness.managementUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  }
  const createKey = async (more: object): Promise<string> =>
    String(
      (await manage('POST', '/v1/manage/apikey', { name: `limited ${Math.random()}`, permissions: { completions: 'write' }, ...more }))[
        'api_key'
      ],
    );
  const codeOf = ({ text }: Reply): string | undefined => (JSON.parse(text) as Envelope).error.code;

  describe('a monthly limit of a key', () => {
    it.each(CASES)('blocks $name, and a wider one does not', async ({ path, body }) => {
      const [narrow, wide] = await Promise.all([createKey({ monthly_limit: 0.000001 }), createKey({ monthly_limit: 1 })]);
      const before = upstream.requests.length;

      const refused = await post(path, body, narrow);
      expect(upstream.requests).toHaveLength(before);
      const served = await post(path, body, wide);

      expect(refused.status).toBe(412);
      expect(refused.headers.get('x-should-retry')).toBe('false');
      expect(refused.text).toContain('this API key');
      expect(served.status).toBe(200);
      expect(upstream.requests).toHaveLength(before + 1);
    });

    it('is used up by what requests cost, not by what they might have cost', async () => {
      const key = await createKey({ monthly_limit: 0.001 });
      const ask = () =>
        post('/v1/chat/completions', { model: 'sandbox/chat', max_tokens: 100, messages: [{ role: 'user', content: '!tokens 10' }] }, key);
      let spent = 0;
      let served = 0;
      for (let reply = await ask(); reply.status === 200; reply = await ask()) {
        spent += Number(usdText((JSON.parse(reply.text) as { usage: { cost: number } }).usage.cost));
        served += 1;
        if (served > 60) throw new Error('the limit does not limit');
      }

      expect(spent).toBeLessThanOrEqual(0.001);
      // One worst case is some 750 millionths: what is left is less than that.
      expect(spent).toBeGreaterThan(0.0002);
      expect(served).toBeGreaterThan(3);
    });

    it('holds nothing of requests that were refused after admission, or whose provider failed', async () => {
      const key = await createKey({ monthly_limit: 0.002 });
      const send = (more: object) =>
        post('/v1/chat/completions', { model: 'sandbox/chat', max_tokens: 100, messages: HELLO, ...more }, key);
      for (let tries = 0; tries < 5; tries += 1) {
        expect((await send({ messages: 'none' })).status).toBe(400);
        expect((await send({ messages: [{ role: 'user', content: '!status 503' }] })).status).toBe(503);
      }

      expect((await send({})).status).toBe(200);
    });

    it('lets through what costs nothing, also when nothing is left', async () => {
      const key = await createKey({ monthly_limit: 0.000001 });

      expect((await post('/v1/chat/completions', { model: 'sandbox/chat-free', messages: HELLO }, key)).status).toBe(200);
      expect((await post('/v1/messages/count_tokens', { model: 'sandbox/chat', messages: HELLO }, key)).status).toBe(200);
      expect((await post('/v1/responses/input_tokens', { model: 'sandbox/chat', input: 'Hello' }, key)).status).toBe(200);
    });

    it('does not stop a key that is in nothing limited', async () => {
      expect((await post('/v1/chat/completions', { model: 'sandbox/chat', messages: HELLO }, harness.apiKey)).status).toBe(200);
    });

    it('counts every served request once, at its cost', async () => {
      const key = await createKey({ monthly_limit: 1 });
      const served = await Promise.all(CASES.map(({ path, body }) => post(path, body, key)));
      expect(served.map(({ status }) => status)).toEqual(served.map(() => 200));
      const usage = await waitForRequests(harness, CASES.length, {});
      expect(usage.total_requests).toBeGreaterThanOrEqual(CASES.length);
    });
  });

  it('a group budget blocks all members’ keys, and says so', async () => {
    const group = await manage('POST', '/v1/manage/group', { name: 'spenders', monthly_limit: 5 });
    await manage('PATCH', '/v1/manage/org', { budget_mode: 'group' });
    await manage('POST', `/v1/manage/group/${String(group['group_id'])}/budget`, { monthly_budget: 0.000001 });
    const key = await createKey({ group_id: group['group_id'] });
    try {
      const refused = await post('/v1/chat/completions', { model: 'sandbox/chat', messages: HELLO }, key);
      expect(refused.status).toBe(412);
      expect(refused.text).toContain('the group of this API key');
    } finally {
      await manage('POST', `/v1/manage/group/${String(group['group_id'])}/budget`, { monthly_budget: 0 });
      await manage('PATCH', '/v1/manage/org', { budget_mode: 'global' });
    }
  });

  it('in Global mode a group’s limit is that of each member', async () => {
    const group = await manage('POST', '/v1/manage/group', { name: 'members', monthly_limit: 0.000001 });
    const key = await createKey({ group_id: group['group_id'] });
    const refused = await post('/v1/chat/completions', { model: 'sandbox/chat', messages: HELLO }, key);

    expect(refused.status).toBe(412);
    expect(refused.text).toContain('this member of the group');
    expect(codeOf(refused)).toBe('monthly_limit_reached');
  });

  describe('an estimate', () => {
    type Estimate = {
      allowed: boolean;
      cost_max: number;
      refusal: { code: string; status: number } | null;
      max_tokens_clamped: number | null;
      attempts: { output_tokens_max: number }[];
      limits: { scope: string; limit: number; remaining: number }[];
    };
    const estimate = async (body: object, key: string): Promise<Estimate> => {
      const reply = await post('/v1/estimate', body, key);
      expect(reply.status).toBe(200);
      return JSON.parse(reply.text) as Estimate;
    };

    it.each(REQUESTS.filter(([, path]) => path !== '/v1/embeddings'))(
      'says of %s what admission says, and sends nothing',
      async (_name, path, body) => {
        const [narrow, wide] = await Promise.all([createKey({ monthly_limit: 0.000001 }), createKey({ monthly_limit: 1 })]);
        const before = upstream.requests.length;
        const [refused, allowed] = [await estimate(body, narrow), await estimate(body, wide)];

        expect(refused).toMatchObject({
          allowed: false,
          refusal: { code: 'monthly_limit_reached', status: 412 },
          limits: [{ scope: 'api_key', remaining: 0.000001 }],
        });
        expect(allowed).toMatchObject({
          allowed: true,
          refusal: null,
          attempts: [{ output_tokens_max: 100 }],
          limits: [{ scope: 'api_key', limit: 1, remaining: 1 }],
        });
        expect(upstream.requests).toHaveLength(before);
        const spent = (await post(path, body, wide)).text;
        expect(spent).toContain('"cost"');
        expect(allowed.cost_max).toBeGreaterThan(Number(/"cost":([\d.e-]+)/.exec(spent)?.[1]));
      },
    );

    it('knows of models that are not there, and of nothing else than a body', async () => {
      expect(await estimate({ model: 'no-one/nothing', messages: HELLO }, harness.apiKey)).toMatchObject({
        allowed: false,
        cost_max: null,
        refusal: { code: 'model_not_found' },
      });
      expect((await post('/v1/estimate', '[]', harness.apiKey)).status).toBe(400);
    });
  });

  describe('an organization that wants replies shortened to fit', () => {
    beforeAll(() => manage('PATCH', '/v1/manage/org', { clamp_to_limit: true }));
    afterAll(() => manage('PATCH', '/v1/manage/org', { clamp_to_limit: false }));

    it.each([
      ['/v1/chat/completions', { messages: [{ role: 'user', content: '!tokens 5000' }] }],
      ['/v1/messages', { messages: [{ role: 'user', content: '!tokens 5000' }], max_tokens: 9000 }],
      ['/v1/responses', { input: '!tokens 5000' }],
    ])('gets %s as long as the money lasts, with a header that says so, and never spends more than the limit', async (path, body) => {
      const key = await createKey({ monthly_limit: 0.002 });
      const reply = await post(path, { model: 'sandbox/chat', ...body }, key);
      const tokens = Number(reply.headers.get('x-weir-max-tokens-clamped'));
      const { usage } = JSON.parse(reply.text) as { usage: Record<string, number> };

      expect(reply.status).toBe(200);
      expect(tokens).toBeGreaterThan(100);
      expect(tokens).toBeLessThan(500);
      expect(usage['completion_tokens'] ?? usage['output_tokens']).toBe(tokens);
      expect(usage['cost']).toBeLessThanOrEqual(0.002);
      expect((await post(path, { model: 'sandbox/chat', ...body }, key)).status).toBe(412);
    });

    it('is refused when not even a few words fit', async () => {
      const key = await createKey({ monthly_limit: 0.0001 });
      expect((await post('/v1/chat/completions', { model: 'sandbox/chat', messages: HELLO }, key)).status).toBe(412);
    });
  });
});
