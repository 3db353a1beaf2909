import Anthropic from '@anthropic-ai/sdk';
import { createApiDocument, OPERATIONS, type ApiDocument } from '@weir/api-description';
import { ENDPOINTS, getEndpoint, type EndpointRow } from '@weir/contracts';
import OpenAI from 'openai';
import { createApiValidator, type ApiValidator } from '../api/create-api-validator';
import { createThingMaker } from '../api/make-things';
import { receive, sendExample } from '../api/send-example';
import { startStandalone, type Harness } from '../harness/start-standalone';

/** In Global mode these are a 409; their examples are of the other mode. */
const OF_GROUP_MODE = new Set(['set-group-budget', 'set-group-user-budget', 'set-group-member-budget']);
/** Asks the provider itself, which is elsewhere. */
const REACHES_ELSEWHERE = new Set(['test-provider-credential']);

const rows: readonly EndpointRow[] = ENDPOINTS;

describe('the API document and the running gateway', () => {
  let harness: Harness;
  let validator: ApiValidator;
  let things = 0;

  beforeAll(async () => {
    harness = await startStandalone({ env: { FETCH_PRIVATE_NETWORKS: '127.0.0.0/8', FETCH_PORTS: '80,443,9' } });
    // Closed: a reply with a member that is not described is found out.
    validator = createApiValidator(createApiDocument({ replies: 'closed' }));
  });
  afterAll(async () => {
    await harness.process.terminate();
  });

  const setMode = (mode: 'global' | 'group') =>
    fetch(`${harness.managementUrl}/v1/manage/org`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ budget_mode: mode }),
    });

  it('is served to everybody, with a tag and a page that shows it', async () => {
    const first = await fetch(`${harness.url}/openapi.json`);
    const document = (await first.json()) as ApiDocument;
    const again = await fetch(`${harness.url}/openapi.json`, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    const page = await fetch(`${harness.url}/docs`);

    expect(document.paths).toEqual(JSON.parse(JSON.stringify(createApiDocument().paths)));
    expect(again.status).toBe(304);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await fetch(`${harness.url}/docs/swagger-ui-bundle.js`)).status).toBe(200);
  });

  describe.each(OPERATIONS.filter(({ id }) => !REACHES_ELSEWHERE.has(id)).map((operation) => [operation.id, operation] as const))(
    '%s',
    (id, { examples }) => {
      it.each(examples.map((example) => [example.summary, example] as const))('does what its example says: %s', async (_, example) => {
        const maker = createThingMaker(harness, () => (things += 1));
        if (OF_GROUP_MODE.has(id)) await setMode('group');

        const reply = await sendExample(getEndpoint(id), example, harness, maker);

        if (OF_GROUP_MODE.has(id)) await setMode('global');
        expect([reply.status, reply.status === example.status ? '' : reply.text]).toEqual([example.status, '']);
        expect(validator.checkReply(id, reply)).toEqual([]);
      });
    },
  );

  it('agree about refusals: without a key, with an unknown one, with a broken body', async () => {
    const problems: string[] = [];
    for (const row of rows) {
      const url = `${harness.url}${row.path.replace(/:\w+/g, '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1eff')}`;
      const json = { 'content-type': 'application/json' };
      const key = { authorization: `Bearer ${harness.apiKey}` };
      const asked: [string, RequestInit, number[]][] = [
        ['without a key', {}, row.id === 'read-model' ? [404] : row.permission.kind === 'public' ? [200] : [401]],
        [
          'with an unknown key',
          { headers: { authorization: 'Bearer no-one-has-this-key-00000000' } },
          [row.id === 'auth-check' ? 401 : 403],
        ],
        ...(row.body === 'json' && row.method !== 'GET'
          ? [['with a broken body', { headers: { ...json, ...key }, body: '{"model":' }, [400]] as [string, RequestInit, number[]]]
          : []),
      ];
      for (const [what, init, statuses] of asked) {
        const reply = await receive(await fetch(url, { method: row.method, ...init }));
        const found = validator.checkReply(row.id, reply);
        if (!statuses.includes(reply.status)) found.push(`returns ${reply.status}`);
        problems.push(...found.map((problem) => `${row.id} ${what}: ${problem}`));
      }
    }

    expect(problems).toEqual([]);
  });

  it('agree about embedding bodies', async () => {
    const model = 'sandbox/embedding';
    const bodies: Record<string, unknown>[] = [
      ...['x', ['x', 'y'], [1, 2], [[1], [2, 3]], '', [], [''], ['x', 1], [1, 'x'], [[1], []], [1.5], [-1], {}, null, 7].map((input) => ({
        model,
        input,
      })),
      ...['float', 'base64', null, 'int8', 7].map((encoding_format) => ({ model, input: 'x', encoding_format })),
      ...[8, null, 0, 1.5, '8'].map((dimensions) => ({ model, input: 'x', dimensions })),
      ...['u', null, 7].map((user) => ({ model, input: 'x', user })),
      ...['', 7, null].map((wrong) => ({ model: wrong, input: 'x' })),
      { input: 'x' },
      { model, input: Array(2049).fill('x') },
    ];
    const disagreements: unknown[] = [];
    for (const body of bodies) {
      const reply = await fetch(`${harness.url}/v1/embeddings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      await reply.arrayBuffer();
      const fits = validator.checkBody('embeddings', body).length === 0;
      if (fits !== (reply.status === 200)) disagreements.push([JSON.stringify(body).slice(0, 80), reply.status, fits]);
    }

    expect(disagreements).toEqual([]);
  });

  it('agree about what official clients send and read', async () => {
    const problems: string[] = [];
    const watch: typeof fetch = async (input, init) => {
      const path = new URL(input instanceof Request ? input.url : String(input)).pathname;
      const id = rows.find((row) => row.path === path)?.id ?? '';
      const reply = await fetch(input, init);
      const received = await receive(reply.clone());
      problems.push(...validator.checkBody(id, JSON.parse(String(init?.body))).map((problem) => `${id} body: ${problem}`));
      problems.push(...validator.checkReply(id, received).map((problem) => `${id} reply: ${problem}`));
      return reply;
    };
    const openai = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, fetch: watch, maxRetries: 0 });
    const anthropic = new Anthropic({ baseURL: harness.url, apiKey: harness.apiKey, fetch: watch, maxRetries: 0 });
    const model = 'sandbox/chat';
    const parameters = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] };
    const asked = [{ role: 'user' as const, content: 'What is the weather?' }];

    const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }];
    for await (const _ of await openai.chat.completions.create({ model, stream: true, tool_choice: 'required', tools, messages: asked }));
    await openai.chat.completions.create({ model, messages: asked, n: 2, logprobs: true, stop: ['x'], seed: 7 });
    for await (const _ of await openai.responses.create({
      ...{ model, stream: true, input: 'Hi', tool_choice: 'required', reasoning: { effort: 'low', summary: 'auto' } },
      tools: [{ type: 'function', name: 'get_weather', parameters, strict: false }],
    }));
    await openai.completions.create({ model, prompt: 'Hi', n: 2, stop: ['x'] });
    for await (const _ of await openai.completions.create({ model, prompt: 'Hi', stream: true, stream_options: { include_usage: true } }));
    await openai.responses.inputTokens.count({ model, input: 'Hi' });
    await openai.embeddings.create({ model: 'sandbox/embedding', input: ['a', 'b'] });
    await anthropic.messages
      .stream({ model, max_tokens: 50, messages: asked, tools: [{ name: 'get_weather', input_schema: parameters }] })
      .finalMessage();
    await anthropic.messages.create({ model, max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1024 }, messages: asked });
    await anthropic.messages.countTokens({ model, messages: asked });

    expect(problems).toEqual([]);
  });
});
