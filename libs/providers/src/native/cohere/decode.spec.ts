import { collectReply, createLossReport, type ChatEvent, type ChatReply } from '@weir/canonical';
import { describeWithFixtures, listCaptures, loadCapture, loadCaptures } from '@weir/testing';
import { buildRequest, buildTarget } from '../../__fixtures__/build-target';
import { checkGrammar } from '../../__fixtures__/check-grammar';
import { decodeInPieces, toSse, withoutChance } from '../../__fixtures__/decode-in-pieces';
import { createCohereProvider } from './index';
import { decodeReply } from './decode-reply';
import { createStreamDecoder } from './decode-stream';
import { readPlainError as readError } from '../../failures/read-plain-error';
import { readUsage } from './read-usage';
import type { DecodeContext } from './reply-stream';

const context: DecodeContext = { fallbackModel: 'command-x', customTools: new Set(['run']) };
const decode = (body: string, sizes?: readonly number[]): ChatEvent[] => decodeInPieces(createStreamDecoder(context), body, sizes);
const decodeEvents = (...events: object[]): ChatReply => collectReply(decode(toSse(events)));

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

  it('are counted as billed, and by what went through the model where no billed units are reported', () => {
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
    expect(readError(429, { 'retry-after': '3' }, '{"message":"slow down, k3y"}', ['k3y'])).toMatchObject({
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
