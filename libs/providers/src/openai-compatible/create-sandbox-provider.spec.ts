import type { Readable } from 'node:stream';
import { collectReply, createLossReport, createOriginalBody, type ChatRequest, type OriginalBody } from '@weir/canonical';
import type { UpstreamResponse } from '@weir/upstream-http';
import { checkGrammar } from '../__fixtures__/check-grammar';
import { buildRequest, buildTarget } from '../__fixtures__/build-target';
import { createSandboxProvider } from './create-sandbox-provider';

const provider = createSandboxProvider();

type SendOptions = { signal?: AbortSignal; headersTimeoutMs?: number; idleTimeoutMs?: number };

function send(
  body: object,
  { signal = new AbortController().signal, headersTimeoutMs = 0, idleTimeoutMs = 0 }: SendOptions = {},
): Promise<UpstreamResponse> {
  return provider.transport({
    method: 'POST',
    url: `${provider.baseUrl}/chat/completions`,
    headers: {},
    body: JSON.stringify({ model: 'chat', ...body }),
    signal,
    headersTimeoutMs,
    idleTimeoutMs,
  });
}

/** The sandbox's bodies are node's own streams. */
const streamOf = ({ body }: UpstreamResponse): Readable => body as Readable;

async function read(response: UpstreamResponse): Promise<string> {
  let text = '';
  for await (const piece of streamOf(response)) text += String(piece);
  return text;
}

const ask = (content: string, more: object = {}): object => ({ messages: [{ role: 'user', content }], ...more });
const reply = async (body: object): Promise<Record<string, any>> => JSON.parse(await read(await send(body))) as Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any
const frames = (text: string): string[] => text.split('\n\n').filter((frame) => frame !== '');
const reported = async (body: object): Promise<unknown> => (await reply(body))['choices'][0];
const tool = {
  type: 'function',
  function: {
    name: 'weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string', minLength: 2 }, days: { type: 'integer', minimum: 3 } },
      required: ['city', 'days'],
    },
  },
};

describe('the sandbox', () => {
  it('echoes the last message of the user and counts its tokens', async () => {
    const answer = await reply({
      messages: [
        { role: 'system', content: 'be kind' },
        { role: 'user', content: [{ type: 'text', text: 'hello  big world' }] },
      ],
    });

    expect(answer['choices']).toEqual([
      { index: 0, message: { role: 'assistant', content: 'hello  big world', refusal: null }, finish_reason: 'stop', logprobs: null },
    ]);
    expect(answer['usage']).toMatchObject({
      prompt_tokens: 5,
      completion_tokens: 3,
      total_tokens: 8,
      prompt_tokens_details: { cached_tokens: 0 },
    });
  });

  it('replies to the same request in the same way', async () => {
    const [one, two] = [await reply(ask('same')), await reply(ask('same'))];
    expect({ ...one, created: 0 }).toEqual({ ...two, created: 0 });
  });

  it('streams one token a frame, with usage when asked, and the same text as the whole reply', async () => {
    const text = await read(await send(ask('a b c', { stream: true, stream_options: { include_usage: true } })));

    expect(frames(text)).toHaveLength(1 + 3 + 1 + 1 + 1);
    expect(frames(text).at(-1)).toBe('data: [DONE]');
    expect(JSON.parse((frames(text).at(-2) ?? '').slice(6))).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 3, completion_tokens: 3 },
    });
    expect(frames(await read(await send(ask('a', { stream: true })))).some((frame) => frame.includes('usage'))).toBe(false);
  });

  it.each(['max_tokens', 'max_completion_tokens'])('stops at %s with the reason length', async (limit) => {
    expect(await reported(ask('a b c d', { [limit]: 2 }))).toMatchObject({ message: { content: 'a b' }, finish_reason: 'length' });
    expect(await reported(ask('a b', { [limit]: 2 }))).toMatchObject({ finish_reason: 'stop' });
  });

  it('stops before a stop sequence', async () => {
    expect(await reported(ask('one END two', { stop: ['END', 'zzz'] }))).toMatchObject({
      message: { content: 'one ' },
      finish_reason: 'stop',
    });
  });

  it('reports the stop sequence that was met, whole or as a stream, for dialects that name it', async () => {
    const stops = ['STOP', 'END', 'END two'];
    expect(await reported(ask('one END two', { stop: stops }))).toMatchObject({ stop_reason: 'END two' });
    expect(await reported(ask('one two', { stop: stops }))).not.toHaveProperty('stop_reason');
    expect(await reported(ask('one two END', { stop: stops, max_tokens: 1 }))).not.toHaveProperty('stop_reason');
    const target = buildTarget('chat');
    const decoder = provider.codec?.createStreamDecoder(target);
    const events = decoder?.push(Buffer.from(await read(await send(ask('one END', { stop: 'END', stream: true })))));
    expect(events).toContainEqual({
      type: 'finish',
      choice: 0,
      finish: { unified: 'stop', upstream: 'stop', stopSequence: 'END' },
    });
  });

  it('replies with exactly the tokens asked for, and with several choices', async () => {
    const answer = await reply(ask('!tokens 5 and more', { n: 2 }));

    expect(answer['choices']).toHaveLength(2);
    expect(answer['choices'][1].message.content.split(' ')).toHaveLength(5);
    expect(answer['usage'].completion_tokens).toBe(10);
  });

  it('calls the tools that directives name, at once when there are several', async () => {
    const body = ask('please !tool weather {"city":"a } b"} !tool weather {"city":"c"} !tool unknown {}', { tools: [tool] });

    expect(await reported(body)).toMatchObject({
      message: {
        content: null,
        tool_calls: [{ function: { name: 'weather', arguments: '{"city":"a } b"}' } }, { function: { arguments: '{"city":"c"}' } }],
      },
      finish_reason: 'tool_calls',
    });
    expect(await reported({ ...body, parallel_tool_calls: false })).toMatchObject({ message: { tool_calls: [{}] } });
    expect(await reported({ ...body, tool_choice: 'none' })).toMatchObject({ finish_reason: 'stop' });
  });

  it('calls a forced tool with the least arguments its schema allows', async () => {
    for (const tool_choice of ['required', { type: 'function', function: { name: 'weather' } }]) {
      expect(await reported(ask('hi', { tools: [tool], tool_choice }))).toMatchObject({
        message: { tool_calls: [{ function: { name: 'weather', arguments: '{"city":"xx","days":3}' } }] },
      });
    }
  });

  it('replies with the result once a tool has been called', async () => {
    const messages = [
      { role: 'user', content: '!tool weather {}' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'x', type: 'function', function: { name: 'weather', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'x', content: 'sunny today' },
    ];
    expect(await reported({ messages, tools: [tool] })).toMatchObject({ message: { content: 'sunny today' }, finish_reason: 'stop' });
  });

  it('replies with the least JSON that fits a response format', async () => {
    const schema = {
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/a' },
        b: { enum: ['x', 'y'] },
        c: { type: 'array', items: { type: 'boolean' }, minItems: 2 },
        d: {},
      },
      required: ['a', 'b', 'c'],
      $defs: { a: { anyOf: [{ type: 'null' }] } },
    };

    expect(await reported(ask('x', { response_format: { type: 'json_schema', json_schema: { schema } } }))).toMatchObject({
      message: { content: '{"a":null,"b":"x","c":[false,false]}' },
    });
    expect(await reported(ask('x', { response_format: { type: 'json_object' } }))).toMatchObject({ message: { content: '{}' } });
  });

  it('reports no usage after !no-usage', async () => {
    expect(await reply(ask('a !no-usage'))).not.toHaveProperty('usage');
    expect(await read(await send(ask('a !no-usage', { stream: true, stream_options: { include_usage: true } })))).not.toContain('usage');
  });

  it('replies with the status of the directive, with Retry-After where waiting helps', async () => {
    const response = await send(ask('!status 429'));

    expect([response.status, response.headers['retry-after']]).toEqual([429, '1']);
    expect(provider.readError(429, response.headers, await read(response))).toMatchObject({
      code: 'provider_rate_limited',
      details: { retryAfterSeconds: 1 },
    });
    expect((await send(ask('!status 500'))).headers).not.toHaveProperty('retry-after');
    expect((await send(ask('!status 200'))).status).toBe(200);
  });

  it('knows its own models only, and replies under the name that callers use', async () => {
    expect((await send({ ...ask('a'), model: 'gpt' })).status).toBe(404);
    expect((await send({ ...ask('a'), model: 'chat-free' })).status).toBe(200);
    expect(await reply({ ...ask('a'), model: 'chat-free' })).toMatchObject({ model: 'sandbox/chat-free' });
  });

  it.each([
    ['messages', { messages: [] }],
    ['messages[0].role', { messages: [{ role: 'x', content: 'a' }] }],
    ['messages[0].content', { messages: [{ role: 'user' }] }],
    ['messages[0].content[0].type', { messages: [{ role: 'user', content: [{ type: 'x' }] }] }],
    ['max_tokens', { max_tokens: 0 }],
    ['temperature', { temperature: 3 }],
    ['top_p', { top_p: 'x' }],
    ['n', { n: 129 }],
    ['tools', { tools: 'x' }],
    ['tool_choice', { tool_choice: 'x' }],
    ['response_format.type', { response_format: { type: 'x' } }],
  ])('refuses what no provider takes, naming %s', async (field, more) => {
    const response = await send(ask('a', more));

    expect(response.status).toBe(400);
    expect((JSON.parse(await read(response)) as { error: { message: string } }).error.message.startsWith(`${field} `)).toBe(true);
  });

  it('breaks the connection after exactly the frames of the directive, for every reader', async () => {
    for (const cut of [0, 1, 3]) {
      const seen: string[] = [];
      const response = await send(ask(`a b c d e !cut ${cut}`, { stream: true }));
      const reading = (async () => {
        for await (const piece of streamOf(response)) seen.push(String(piece));
      })();

      await expect(reading).rejects.toThrow('cut');
      expect(frames(seen.join(''))).toHaveLength(cut);
    }
    const events = await new Promise<number>((resolve) => {
      let count = 0;
      void send(ask('a b c !cut 2', { stream: true })).then((response) =>
        streamOf(response)
          .on('data', () => (count += 1))
          .on('error', () => resolve(count)),
      );
    });
    expect(events).toBe(2);
  });

  it('never replies after !hang, until it is aborted', async () => {
    const controller = new AbortController();
    const hanging = send(ask('!hang'), { signal: controller.signal });
    controller.abort(new Error('gone'));

    await expect(hanging).rejects.toThrow('gone');
    await expect(send(ask('!hang'), { headersTimeoutMs: 1 })).rejects.toMatchObject({ code: 'provider_timeout' });
    await expect(send(ask('a'), { signal: AbortSignal.abort(new Error('early')) })).rejects.toThrow('early');
  });

  it('breaks a stream that is aborted and one whose gap is longer than its reader waits', async () => {
    const controller = new AbortController();
    const body = streamOf(await send(ask('a b c !gap 600000', { stream: true }), { signal: controller.signal }));
    const reading = (async () => {
      for await (const piece of body) if (String(piece) !== '') controller.abort(new Error('gone'));
    })();
    await expect(reading).rejects.toThrow('gone');

    await expect(read(await send(ask('a b !gap 600000', { stream: true }), { idleTimeoutMs: 1 }))).rejects.toMatchObject({
      code: 'provider_timeout',
    });
  });

  it('waits between frames and before the first byte as long as the directives say', async () => {
    const startedAt = performance.now();
    expect(frames(await read(await send(ask('a b !gap 5 !delay 5', { stream: true }))))).toHaveLength(5);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(20);
  });

  it('makes no more frames than its reader takes', async () => {
    const body = streamOf(await send(ask('!tokens 100000', { stream: true })));
    await new Promise((resolve) => body.once('readable', resolve));

    expect(body.readableLength).toBeLessThan(64 * 1024);
    body.destroy();
  });
});

describe('the sandbox as a provider', () => {
  const target = buildTarget('chat');
  const run = async (request: Partial<ChatRequest>): Promise<ReturnType<typeof collectReply>> => {
    const call = provider.codec?.encodeRequest(buildRequest({ stream: true, ...request }), target, createLossReport());
    const response = await provider.transport({
      method: 'POST',
      url: 'x',
      headers: {},
      body: call?.body ?? '',
      signal: new AbortController().signal,
      headersTimeoutMs: 0,
      idleTimeoutMs: 0,
    });
    const decoder = provider.codec?.createStreamDecoder(target);
    const events = [...(decoder?.push(Buffer.from(await read(response))) ?? []), ...(decoder?.end() ?? [])];
    expect(checkGrammar(events)).toEqual([]);
    return collectReply(events);
  };

  it('is understood in the translation lane, free-form tools included', async () => {
    expect(await run({})).toMatchObject({
      choices: [{ content: [{ type: 'text', text: 'hi' }], finish: { unified: 'stop' } }],
      usage: { inputUncached: 1, output: 1 },
    });
    expect(
      await run({ tools: [{ kind: 'custom', name: 'run' }], toolChoice: { kind: 'tool', name: 'run', isCustom: true } }),
    ).toMatchObject({
      choices: [
        { content: [{ type: 'tool-call', kind: 'custom', name: 'run', argumentsText: 'input' }], finish: { unified: 'tool-calls' } },
      ],
    });
  });

  it('carries chat completions in the express lane', () => {
    const original = createOriginalBody('{"model":"sandbox/chat","messages":[]}') as OriginalBody;
    expect(provider.express?.encodeOriginal(original, target, false)).toEqual({
      path: '/chat/completions',
      body: '{"model":"chat","messages":[]}',
    });
    expect(provider.authorize({ path: '', body: '' }, target)).toEqual({});
  });
});
