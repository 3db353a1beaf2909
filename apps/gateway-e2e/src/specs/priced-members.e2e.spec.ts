import { PRICED_MEMBERS } from '@weir/limits';
import { plantWrongTypes, startFakeUpstream, type FakeUpstream, type Planted, type RecordedRequest, type ReplyScript } from '@weir/testing';
import { createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';
import { pointAt } from '../harness/client-harness';
import { startStandalone, type Harness } from '../harness/start-standalone';

type Body = Readonly<Record<string, unknown>>;
type Case = { readonly name: string; readonly endpointId: string; readonly path: string; readonly body: Body };

const MESSAGES = [{ role: 'user', content: 'Hello there' }];

/** Each endpoint in both of its lanes, and where the provider is the sandbox. */
const CASES: readonly Case[] = [
  ...['openai/gpt-4o-mini', 'anthropic/claude-sonnet-4-5', 'sandbox/chat'].flatMap((model): Case[] => [
    { name: '', endpointId: 'chat-completions', path: '/v1/chat/completions', body: { model, max_tokens: 16, messages: MESSAGES } },
    { name: '', endpointId: 'completions', path: '/v1/completions', body: { model, max_tokens: 16, prompt: 'Hello' } },
    { name: '', endpointId: 'messages', path: '/v1/messages', body: { model, max_tokens: 16, messages: MESSAGES } },
    { name: '', endpointId: 'count-tokens', path: '/v1/messages/count_tokens', body: { model, messages: MESSAGES } },
  ]),
  ...['openai-responses/gpt-4.1', 'openai/gpt-4o-mini'].flatMap((model): Case[] => [
    { name: '', endpointId: 'responses', path: '/v1/responses', body: { model, max_output_tokens: 16, input: 'Hello' } },
    { name: '', endpointId: 'count-input-tokens', path: '/v1/responses/input_tokens', body: { model, input: 'Hello' } },
  ]),
  ...['openai/text-embedding-3-small', 'sandbox/embedding'].map((model): Case => ({
    name: '',
    endpointId: 'embeddings',
    path: '/v1/embeddings',
    body: { model, input: 'Hello' },
  })),
  ...['openai/gpt-image-1-mini', 'sandbox/image'].map((model): Case => ({
    name: '',
    endpointId: 'image-generations',
    path: '/v1/images/generations',
    body: { model, prompt: 'a kite' },
  })),
  { name: '', endpointId: 'image-edits', path: '/v1/images/edits', body: { model: 'sandbox/image', prompt: 'a kite', images: [] } },
  ...['openai/gpt-4o-mini-tts', 'sandbox/speech'].map((model): Case => ({
    name: '',
    endpointId: 'speech',
    path: '/v1/audio/speech',
    body: { model, input: 'Hello', voice: 'alloy' },
  })),
].map((one) => ({ ...one, name: `${one.path} with ${String(one.body['model'])}` }));

const AT_ONCE = 8;

/** What a provider does that accepts anything: it makes whatever is asked for, numbers in text included, and bills it all. */
function answerAnything({ bodyText }: RecordedRequest): ReplyScript {
  const { n, best_of: best, max_tokens: most, max_completion_tokens: completion } = JSON.parse(bodyText) as Record<string, unknown>;
  const count = Math.max(1, Number(n) || 1);
  const used = Math.max(count, Number(best) || 1) * (Number(completion ?? most) || 100);
  const choices = Array.from({ length: count }, (_, index) => ({
    index,
    message: { role: 'assistant', content: 'Hi '.repeat(100) },
    finish_reason: 'length',
  }));
  const usage = { prompt_tokens: 10, completion_tokens: used, total_tokens: 10 + used };
  return { body: { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage } };
}

describe('members that decide about money', () => {
  let harness: Harness;
  let upstream: FakeUpstream;
  let call: CallHarness;

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    upstream.reply(answerAnything, { when: ({ path }) => path.endsWith('/chat/completions') });
    harness = await startStandalone({ env: pointAt(upstream) });
    call = createCallHarness(harness);
  });
  afterAll(async () => {
    expect(await harness.process.terminate()).toBe(0);
    await upstream.stop();
  });

  async function sendAll(planted: readonly Planted[], send: (one: Planted) => Promise<HarnessReply>): Promise<string[]> {
    const wrong: string[] = [];
    let next = 0;
    const run = async (): Promise<void> => {
      for (let one = planted[next++]; one !== undefined; one = planted[next++]) {
        const { status, text } = await send(one);
        const message = messageOf(text);
        if (status !== 400 || !message.startsWith(`${one.field} must be `)) wrong.push(`${JSON.stringify(one)}: ${status} ${message}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, run));
    return wrong;
  }

  function messageOf(text: string): string {
    return (JSON.parse(text) as { error?: { message?: string } }).error?.message ?? text;
  }

  it.each(CASES)('of a wrong type are 400 at $name, whatever the provider would make of them', async ({ endpointId, path, body }) => {
    const planted = plantWrongTypes(PRICED_MEMBERS[endpointId] ?? {});
    const before = upstream.requests.length;
    expect(planted.length).toBeGreaterThan(10);
    expect(await sendAll(planted, ({ member, value }) => call(`POST ${path}`, { ...body, [member]: value }))).toEqual([]);
    expect(upstream.requests).toHaveLength(before);
  });

  it('of a wrong type are 400 to an estimate as well', async () => {
    const planted = plantWrongTypes(PRICED_MEMBERS['chat-completions'] ?? {}).filter(({ member }) => member !== 'input');
    const body = { model: 'openai/gpt-4o-mini', messages: MESSAGES };
    expect(await sendAll(planted, ({ member, value }) => call('POST /v1/estimate', { ...body, [member]: value }))).toEqual([]);
  });

  it.each([
    ['n', '2x'],
    ['n', '0x10'],
    ['n', '1e2'],
    ['partial_images', 'two'],
    ['stream', 'maybe'],
  ])('are 400 in a form too: %s=%s', async (field, value) => {
    const form = new FormData();
    for (const [name, text] of [
      ['model', 'sandbox/image'],
      ['prompt', 'a kite'],
      [field, value],
    ] as const)
      form.append(name, text);
    form.append('image', new Blob(['not looked at'], { type: 'image/png' }), 'a.png');
    const headers = { authorization: `Bearer ${harness.apiKey}` };
    const reply = await fetch(`${harness.url}/v1/images/edits`, { method: 'POST', headers, body: form });
    expect([reply.status, messageOf(await reply.text())]).toEqual([400, expect.stringMatching(`^${field} must be `)]);
  });

  it('are refused in the words of the dialect', async () => {
    const body = { model: 'openai/gpt-4o-mini', max_tokens: '16', messages: MESSAGES };
    const message = 'max_tokens must be a whole number of at least 1.';
    expect((await call('POST /v1/messages', body)).json).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message },
    });
    expect((await call('POST /v1/chat/completions', body)).json).toMatchObject({
      error: { origin: 'router', code: 'invalid_request', message },
    });
  });

  it('may be null, as vendors’ clients send them', async () => {
    const nulls = Object.fromEntries(['max_tokens', 'n', 'stream', 'stop', 'tools', 'stream_options'].map((name) => [name, null]));
    const body = { model: 'openai/gpt-4o-mini', messages: MESSAGES, ...nulls };
    expect((await call('POST /v1/chat/completions', body)).status).toBe(200);
    expect((await call('POST /v1/messages', { ...body, max_tokens: 16 })).status).toBe(200);
  });

  it.each<[string, Body]>([
    ['n as text', { n: '200' }],
    ['many choices', { n: 128 }],
    ['the best of many', { best_of: 100 }],
    ['the best of many as text', { best_of: '100' }],
    ['a long answer', { max_tokens: 1_000_000 }],
    ['a long answer by its other name', { max_completion_tokens: 1_000_000, max_tokens: 1 }],
    ['a whole number with a point', { n: 2.0, max_tokens: 400.0 }],
    ['ordinary requests', {}],
  ])('never have a key overspend its limit: %s', async (_, more) => {
    const limit = 0.001;
    const created = await call('POST /v1/manage/apikey', { name: 'limited', permissions: { completions: 'write' }, monthly_limit: limit });
    const headers = { authorization: `Bearer ${String(created.json['api_key'])}` };
    const ask = (): Promise<HarnessReply> =>
      call('POST /v1/chat/completions', { model: 'openai/gpt-4o-mini', max_tokens: 400, messages: MESSAGES, ...more }, headers);
    let spent = 0;
    for (let count = 0; count < 12; count += 1) {
      const { status, json } = await ask();
      expect([200, 400, 412]).toContain(status);
      if (status === 200) spent += (json['usage'] as { cost: number }).cost;
    }
    expect(spent).toBeLessThanOrEqual(limit);
  });
});
