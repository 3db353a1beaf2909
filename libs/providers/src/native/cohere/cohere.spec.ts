import { collectReply, createLossReport, type ChatEvent, type ChatReply, type ChatRequest } from '@weir/canonical';
import { describeWithFixtures, listCaptures, loadCapture, loadCaptures } from '@weir/testing';
import { buildRequest, buildTarget } from '../../__fixtures__/build-target';
import { checkGrammar } from '../../__fixtures__/check-grammar';
import { decodeInPieces, toSse, withoutChance } from '../../__fixtures__/decode-in-pieces';
import type { ModelFacts } from '../../chat-provider';
import { createCohereProvider } from './index';
import { decodeReply } from './decode-reply';
import { createStreamDecoder } from './decode-stream';
import { encodeRequest } from './encode-request';
import { readError } from './read-error';
import { readUsage } from './read-usage';
import type { DecodeContext } from './reply-stream';

const context: DecodeContext = { fallbackModel: 'command-x', customTools: new Set(['run']) };
const decode = (body: string, sizes?: readonly number[]): ChatEvent[] => decodeInPieces(createStreamDecoder(context), body, sizes);
const decodeEvents = (...events: object[]): ChatReply => collectReply(decode(toSse(events)));

type Encoded = { path: string; body: Record<string, unknown>; dropped: string[]; approximated: string[] };

function encode(request: Partial<ChatRequest>, facts: Partial<ModelFacts> = {}): Encoded {
  const losses = createLossReport();
  const { path, body } = encodeRequest(buildRequest(request), { target: buildTarget('command-x', facts), losses });
  return {
    path,
    body: JSON.parse(body) as Record<string, unknown>,
    dropped: [...losses.dropped],
    approximated: [...losses.approximated],
  };
}

const start = { id: 'r1', type: 'message-start', delta: { message: { role: 'assistant', content: [] } } };
const textStart = { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } };
const text = (said: string) => ({ type: 'content-delta', index: 0, delta: { message: { content: { text: said } } } });
const textEnd = { type: 'content-end', index: 0 };
const callStart = (name: string, index = 0) => ({
  type: 'tool-call-start',
  index,
  delta: { message: { tool_calls: { id: `${name}_1`, type: 'function', function: { name, arguments: '' } } } },
});
const args = (said: string) => ({
  type: 'tool-call-delta',
  index: 0,
  delta: { message: { tool_calls: { function: { arguments: said } } } },
});
const callEnd = { type: 'tool-call-end', index: 0 };
const end = (word: string, more: object = {}) => ({ type: 'message-end', delta: { finish_reason: word, ...more } });

describe('encodeRequest of version 2', () => {
  it('says the parameters in the provider’s words', () => {
    const { path, body, dropped, approximated } = encode({
      stream: true,
      maxOutputTokens: 9,
      temperature: 0.5,
      topP: 0.4,
      topK: 3,
      stop: ['x'],
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
    });

    expect(path).toBe('/chat');
    expect(body).toEqual({
      model: 'command-x',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      max_tokens: 9,
      temperature: 0.5,
      p: 0.4,
      k: 3,
      seed: 7,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      stop_sequences: ['x'],
    });
    expect([dropped, approximated]).toEqual([[], []]);
  });

  it('keeps numbers within what the provider takes, and tells', () => {
    const { body, approximated } = encode({ topP: 1, presencePenalty: -1, frequencyPenalty: 2, stop: ['1', '2', '3', '4', '5', '6'] });

    expect(body).toMatchObject({ p: 0.99, presence_penalty: 0, frequency_penalty: 1, stop_sequences: ['1', '2', '3', '4', '5'] });
    expect(approximated.sort()).toEqual(['frequency_penalty', 'presence_penalty', 'stop', 'top_p']);
  });

  it('tells what it has no word for', () => {
    const { dropped } = encode({
      logitBias: { a: 1 },
      topLogprobs: 0,
      verbosity: 'low',
      endUserId: 'u',
      serviceTier: 'flex',
      cacheKey: 'k',
      autoCache: {},
      hasParallelTools: false,
      unmapped: { store: true },
      turns: [{ role: 'user', name: 'bo', content: [{ type: 'text', text: 'hi', cache: {} }] }],
    });

    expect(dropped.sort()).toEqual(
      'cache_control logit_bias logprobs messages.name parallel_tool_calls prompt_cache_key service_tier store user verbosity'.split(' '),
    );
    expect(() => encode({ choices: 2 })).toThrow('More than one choice');
  });

  it('writes images, documents, calls with their plan, and one message for each result', () => {
    const { body, dropped, approximated } = encode({
      turns: [
        { role: 'developer', content: [{ type: 'text', text: 's' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'q' },
            { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA' }, detail: 'low' },
            { type: 'document', filename: 'a.txt', source: { kind: 'text', mediaType: 'text/plain', text: 'inside' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'I call both.' },
            { type: 'tool-call', id: '1', name: 'f', kind: 'function', argumentsText: '{"a": 1.0}' },
            { type: 'tool-call', id: '2', name: 'run', kind: 'custom', argumentsText: 'ls' },
          ],
        },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', content: [{ type: 'text', text: '42' }] }] },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: '2', content: [{ type: 'image', source: { kind: 'url', url: 'https://a.example/b.png' } }] },
          ],
        },
      ],
    });

    expect(body['messages']).toEqual([
      { role: 'system', content: 's' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'q' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'low' } },
          { type: 'text', text: 'a.txt\ninside' },
        ],
      },
      {
        role: 'assistant',
        tool_plan: 'I call both.',
        tool_calls: [
          { id: '1', type: 'function', function: { name: 'f', arguments: '{"a": 1.0}' } },
          { id: '2', type: 'function', function: { name: 'run', arguments: '{"input":"ls"}' } },
        ],
      },
      { role: 'tool', tool_call_id: '1', content: '42' },
      { role: 'tool', tool_call_id: '2', content: '[image]' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Part of the result of 2:' },
          { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
        ],
      },
    ]);
    expect([dropped, approximated]).toEqual([[], ['messages.tool_result']]);
  });

  it('gives thinking back to models that think, and drops it where it has no place', () => {
    const turns: ChatRequest['turns'] = [
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'a' },
        ],
      },
    ];

    expect(encode({ turns }, { supportsReasoning: true }).body['messages']).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'a' },
        ],
      },
    ]);
    expect(encode({ turns })).toMatchObject({
      body: { messages: [{ role: 'assistant', content: 'a' }] },
      dropped: ['messages.reasoning'],
    });
  });

  it('thinks by budget, and only where the model can', () => {
    const thinking = (reasoning: ChatRequest['reasoning'], supportsReasoning = true): unknown =>
      encode({ ...(reasoning === undefined ? {} : { reasoning }) }, { supportsReasoning }).body['thinking'];

    expect(thinking({ effort: 'low' })).toEqual({ type: 'enabled', token_budget: 2048 });
    expect(thinking({ budgetTokens: 77 })).toEqual({ type: 'enabled', token_budget: 77 });
    expect(thinking({ effort: 'max' })).toEqual({ type: 'enabled' });
    expect(thinking({ effort: 'none' })).toEqual({ type: 'disabled' });
    expect(thinking(undefined)).toBeUndefined();
    expect(thinking({ effort: 'high' }, false)).toBeUndefined();
    expect(encode({ reasoning: { effort: 'high' } }).dropped).toEqual(['reasoning_effort']);
  });

  it('writes tools, and a choice of some by leaving the others out', () => {
    const tools: ChatRequest['tools'] = [
      { kind: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, isStrict: true },
      { kind: 'custom', name: 'run' },
    ];
    const f = { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } };

    expect(encode({ tools, toolChoice: { kind: 'tool', name: 'f' } }).body).toMatchObject({
      tools: [f],
      tool_choice: 'REQUIRED',
      strict_tools: true,
    });
    expect(encode({ tools, toolChoice: { kind: 'none' } }).body).toMatchObject({ tool_choice: 'NONE' });
    expect(encode({ tools, toolChoice: { kind: 'allowed', mode: 'auto', names: ['f'] } }).body).not.toHaveProperty('tool_choice');
    const all = encode({ tools });
    expect(all.body['tools']).toEqual([f, { type: 'function', function: { name: 'run', parameters: expect.any(Object) as object } }]);
    expect([all.dropped, all.approximated]).toEqual([['tools.strict'], ['tools']]);
    expect(() => encode({ tools: [{ kind: 'web-search' }] })).toThrow('Web search');
  });

  it('writes formats, and refuses a schema the model does not know', () => {
    const responseFormat: ChatRequest['responseFormat'] = { kind: 'json-schema', name: 'n', schema: { type: 'object' } };

    expect(encode({ responseFormat }).body['response_format']).toEqual({ type: 'json_object', json_schema: { type: 'object' } });
    expect(encode({ responseFormat: { kind: 'json' } }).body['response_format']).toEqual({ type: 'json_object' });
    expect(() => encode({ responseFormat }, { supportsJsonSchema: false })).toThrow('JSON schema');
  });

  it('refuses content the provider cannot take', () => {
    const asking = (content: ChatRequest['turns'][number]['content']) => () => encode({ turns: [{ role: 'user', content }] });

    expect(asking([{ type: 'audio', data: 'AA', format: 'wav' }])).toThrow('audio');
    expect(asking([{ type: 'document', source: { kind: 'url', url: 'https://a.example/a.pdf' } }])).toThrow('File input');
    expect(asking([{ type: 'image', source: { kind: 'file', fileId: 'f' } }])).toThrow('named by id');
  });
});

describe('replies of version 2', () => {
  it('cite a text after it has ended, with the span and where it comes from', () => {
    const citation = {
      type: 'citation-start',
      index: 0,
      delta: {
        message: {
          citations: {
            start: 2,
            end: 5,
            sources: [
              { type: 'document', document: { title: 't', url: 'https://a.example' } },
              { type: 'tool', tool_output: {} },
            ],
          },
        },
      },
    };
    const ofPlan = { type: 'citation-start', delta: { message: { citations: { type: 'PLAN', start: 0, end: 1, sources: [{}] } } } };
    const events = decode(toSse([start, textStart, text('a bcd'), textEnd, citation, ofPlan, end('COMPLETE')]));

    expect(checkGrammar(events)).toEqual([]);
    expect(collectReply(events).choices[0]?.content).toEqual([
      {
        type: 'text',
        text: 'a bcd',
        citations: [
          { url: 'https://a.example', title: 't', start: 2, end: 5 },
          { start: 2, end: 5 },
        ],
      },
    ]);
  });

  it('call without arguments by an empty object, whatever the provider writes', () => {
    const streamed = decodeEvents(
      start,
      callStart('f'),
      args('nu'),
      args('ll'),
      callEnd,
      callStart('g'),
      callEnd,
      callStart('h'),
      args('{"n'),
      args('ull":1}'),
      callEnd,
      end('TOOL_CALL'),
    );

    expect(streamed.choices[0]).toMatchObject({
      content: [{ argumentsText: '{}' }, { argumentsText: '{}' }, { argumentsText: '{"null":1}' }],
      finish: { unified: 'tool-calls', upstream: 'TOOL_CALL' },
    });
  });

  it('give free-form tools their input back', () => {
    const reply = decodeEvents(start, callStart('run'), args('{"input":'), args('"ls"}'), callEnd, end('TOOL_CALL'));

    expect(reply.choices[0]?.content).toEqual([{ type: 'tool-call', id: 'run_1', name: 'run', kind: 'custom', argumentsText: 'ls' }]);
  });

  it.each([
    ['COMPLETE', 'stop'],
    ['STOP_SEQUENCE', 'stop-sequence'],
    ['MAX_TOKENS', 'length'],
    ['ERROR_LIMIT', 'context-full'],
    ['ERROR_TOXIC', 'content-filter'],
    ['SOMETHING_NEW', 'stop'],
  ])('finish with %s as %s', (word, unified) => {
    expect(decodeEvents(start, end(word)).choices[0]?.finish).toEqual({ unified, upstream: word });
  });

  it('are no replies when the provider broke down', () => {
    expect(decode(toSse([start, end('ERROR', { error: 'went wrong' })])).at(-1)).toMatchObject({ type: 'error', message: 'went wrong' });
    expect(decode(toSse([start, { message: 'too many requests' }])).at(-1)).toMatchObject({
      type: 'error',
      message: 'too many requests',
    });
    expect(decode('data: {not json\n\n').at(-1)).toMatchObject({ type: 'error', code: 'provider_unreadable' });
    expect(() => decodeReply('{"id":"r","finish_reason":"ERROR","message":{}}', context)).toThrow();
    expect(() => decodeReply('{"id":"r"}', context)).toThrow('cannot read');
  });

  it('that are cut off have no end', () => {
    const types = decode(toSse([start, textStart, text('a')], false)).map((event) => event.type);
    expect(types).toEqual(['start', 'text-start', 'text-delta']);
  });

  it('are counted as they are billed, and by what went through the model where no bill is told', () => {
    const tokens = { input_tokens: 1549, output_tokens: 95 };

    expect(readUsage({ billed_units: { input_tokens: 119, output_tokens: 44 }, tokens, cached_tokens: 1504 })).toMatchObject({
      inputUncached: 119,
      cacheRead: 0,
      output: 44,
    });
    expect(readUsage({ tokens, cached_tokens: 1504 })).toMatchObject({ inputUncached: 45, cacheRead: 1504, output: 95 });
    expect(readUsage({})).toBeNull();
  });

  it('that are errors say what the provider said, without the key', () => {
    expect(readError(429, { 'retry-after': '3' }, { text: '{"message":"slow down, k3y"}', secrets: ['k3y'] })).toMatchObject({
      code: 'provider_rate_limited',
      message: 'slow down, [removed]',
      details: { retryAfterSeconds: 3 },
    });
  });
});

describe('createCohereProvider', () => {
  it('remembers which tools of a call were free-form', () => {
    const provider = createCohereProvider({
      apiKey: 'k',
      baseUrl: 'http://127.0.0.1:9/v2',
      transport: () => Promise.reject(new Error('no network here')),
      hasRegions: false,
    });
    const target = buildTarget();
    provider.codec?.encodeRequest(buildRequest({ tools: [{ kind: 'custom', name: 'sh' }] }), target, createLossReport());
    const reply = JSON.stringify({ message: { tool_calls: [{ id: '1', function: { name: 'sh', arguments: '{"input":"ls"}' } }] } });

    expect(provider.codec?.decodeReply(reply, target).choices[0]?.content).toMatchObject([{ kind: 'custom', argumentsText: 'ls' }]);
    expect(provider.codec?.decodeReply(reply, buildTarget()).choices[0]?.content).toMatchObject([{ kind: 'function' }]);
    expect(provider.authorize({ path: '', body: '' }, target)).toEqual({ authorization: 'Bearer k' });
  });
});

describeWithFixtures('captured replies of version 2', () => {
  const UNDER = ['vercel+ai/cohere/cohere-', 'traceloop+openllmetry/cohere/test_cohere_v2_chat', 'pydantic+pydantic-ai/cohere/'];
  const captures = () =>
    listCaptures({ under: UNDER })
      .flatMap((path) => loadCaptures(path))
      .filter(({ role, body }) => role === 'reply' && /"(message-end|finish_reason)"/.test(String(body)));

  it('stream in the grammar to their end, however the bytes are cut', () => {
    const streams = captures().filter((capture) => capture.kind === 'sse');
    expect(streams.length).toBeGreaterThanOrEqual(4);
    for (const { path, body } of streams) {
      const whole = decode(String(body));
      expect([path, checkGrammar(whole), whole.at(-1)?.type]).toEqual([path, [], 'end']);
      for (const sizes of [[1], [3, 17, 640]]) expect(withoutChance(decode(String(body), sizes))).toEqual(withoutChance(whole));
    }
  });

  it('that are whole are read, with usage', () => {
    const replies = captures().filter((capture) => capture.kind === 'json');
    expect(replies.length).toBeGreaterThanOrEqual(8);
    for (const { path, body } of replies) {
      const reply = decodeReply(String(body), context);
      expect([path, reply.choices[0]?.content.length, reply.usage?.output]).toEqual([path, expect.any(Number), expect.any(Number)]);
      expect(reply.choices[0]?.content.length).toBeGreaterThan(0);
    }
  });

  it('hold the plan, the calls and their arguments', () => {
    const body = String(loadCapture('vercel+ai/cohere/cohere-tool-call.chunks.txt').body);
    expect(collectReply(decode(body))).toMatchObject({
      id: '2941521a-b87a-45f6-9b0d-235fd66c3025',
      choices: [
        {
          content: [
            { type: 'reasoning', text: expect.stringMatching(/^I will use the weather tool .*\.$/) as string },
            { id: 'weather_e8p4pn45zt0t', name: 'weather', argumentsText: '{"location": "San Francisco"}' },
            { id: 'cityAttractions_pyxssbwnq9fq', name: 'cityAttractions', argumentsText: '{"city": "San Francisco"}' },
          ],
          finish: { unified: 'tool-calls' },
        },
      ],
      usage: { inputUncached: 119, output: 44 },
    });
  });

  it('hold the thinking, citations, and calls without arguments', () => {
    const read = (name: string): ChatReply => decodeReply(String(loadCapture(`vercel+ai/cohere/${name}.json`).body), context);

    expect(read('cohere-reasoning').choices[0]?.content.map((block) => block.type)).toEqual(['reasoning', 'text']);
    expect(read('cohere-citations').choices[0]?.content).toMatchObject([{ type: 'text', citations: [{ start: 52, end: 71 }, {}, {}] }]);
    expect(read('cohere-null-args').choices[0]?.content).toMatchObject([{ type: 'reasoning' }, { argumentsText: '{}' }]);
    expect(read('cohere-max-tokens').choices[0]?.finish.unified).toBe('length');
  });
});
