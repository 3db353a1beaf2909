import { collectReply, type ChatEvent } from '@weir/canonical';
import { describeWithFixtures, listCaptures, loadCaptures } from '@weir/testing';
import { checkGrammar } from '../../__fixtures__/check-grammar';
import { decodeInPieces, toSse, withoutChance } from '../../__fixtures__/decode-in-pieces';
import { decodeReply } from './decode-reply';
import { createStreamDecoder } from './decode-stream';
import { readUsage } from './read-usage';

const context = { family: 'anthropic', fallbackModel: 'fallback', customTools: new Set(['run']) };
const decode = (body: string, sizes?: readonly number[]): ChatEvent[] => decodeInPieces(createStreamDecoder(context), body, sizes);
const start = {
  type: 'message_start',
  message: { id: 'msg_1', model: 'm', usage: { input_tokens: 5, output_tokens: 1, cache_read_input_tokens: 2 } },
};
const block = (index: number, content_block: object): object => ({ type: 'content_block_start', index, content_block });
const delta = (index: number, reported: object): object => ({ type: 'content_block_delta', index, delta: reported });
const stop = (index: number): object => ({ type: 'content_block_stop', index });
const ending = [{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } }, { type: 'message_stop' }];
const stream = (...events: object[]): string => toSse([start, ...events], false);

describe('createStreamDecoder of the Messages API', () => {
  it('emits text, finish and the usage merged over the events that carry it', () => {
    const events = decode(
      stream(
        block(0, { type: 'text', text: '' }),
        delta(0, { type: 'text_delta', text: 'hi' }),
        { type: 'ping' },
        { type: 'brand_new' },
        stop(0),
        ...ending,
      ),
    );

    expect(events.map((event) => event.type)).toEqual(['start', 'text-start', 'text-delta', 'text-end', 'finish', 'usage', 'end']);
    expect(collectReply(events)).toMatchObject({ usage: { inputUncached: 5, cacheRead: 2, output: 9 } });
    expect(events[0]).toMatchObject({ usage: { inputUncached: 5, cacheRead: 2, output: 1 } });
  });

  it('takes the last value of every usage field, for searches make the prompt grow', () => {
    const events = decode(
      stream(
        {
          type: 'message_delta',
          delta: { stop_reason: 'end_turn' },
          usage: { input_tokens: 50, output_tokens: 3, cache_read_input_tokens: null, server_tool_use: { web_search_requests: 2 } },
        },
        { type: 'message_stop' },
      ),
    );

    expect(collectReply(events).usage).toMatchObject({ inputUncached: 50, cacheRead: 2, output: 3, searches: 2 });
  });

  it('keeps thinking, its signature and redacted thinking as state of its own family', () => {
    const events = decode(
      stream(
        block(0, { type: 'thinking', thinking: '', signature: '' }),
        delta(0, { type: 'thinking_delta', thinking: 'hm' }),
        delta(0, { type: 'signature_delta', signature: 'si' }),
        delta(0, { type: 'signature_delta', signature: 'g' }),
        stop(0),
        block(1, { type: 'redacted_thinking', data: 'red' }),
        stop(1),
        ...ending,
      ),
    );

    expect(collectReply(events).choices[0]?.content).toEqual([
      { type: 'reasoning', text: 'hm', state: { family: 'anthropic', kind: 'signature', value: 'sig' } },
      { type: 'reasoning', text: '', state: { family: 'anthropic', kind: 'redacted', value: 'red' } },
    ]);
  });

  it('gives a call without arguments an empty object, and a free-form tool its bare input', () => {
    const events = decode(
      stream(
        block(0, { type: 'tool_use', id: 'a', name: 'f', input: {} }),
        delta(0, { type: 'input_json_delta', partial_json: '' }),
        stop(0),
        block(1, { type: 'tool_use', id: 'b', name: 'run', input: {} }),
        delta(1, { type: 'input_json_delta', partial_json: '{"input":' }),
        delta(1, { type: 'input_json_delta', partial_json: '"ls"}' }),
        stop(1),
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
        { type: 'message_stop' },
      ),
    );

    expect(collectReply(events).choices[0]).toMatchObject({
      content: [
        { id: 'a', argumentsText: '{}', kind: 'function' },
        { id: 'b', argumentsText: 'ls', kind: 'custom' },
      ],
      finish: { unified: 'tool-calls', upstream: 'tool_use' },
    });
  });

  it.each([
    ['overloaded_error', 'provider_overloaded', 529],
    ['rate_limit_error', 'provider_rate_limited', 429],
    ['api_error', 'provider_failed', null],
  ])('ends with an error event at %s', (type, code, status) => {
    expect(decode(stream({ type: 'error', error: { type, message: 'm' } }, ...ending)).at(-1)).toEqual({
      type: 'error',
      code,
      message: 'm',
      status,
    });
  });

  it('takes a repeated first event for nothing and a second message within the first for garbage', () => {
    expect(decode(stream(start, ...ending)).map((event) => event.type)).toEqual(['start', 'finish', 'usage', 'end']);
    expect(decode(stream({ ...start, message: { id: 'msg_2' } }, ...ending)).at(-1)).toMatchObject({
      type: 'error',
      code: 'provider_unreadable',
    });
  });

  it('has no end when the connection was closed before the stop reason', () => {
    expect(decode(stream(block(0, { type: 'text', text: 'a' }))).some((event) => event.type === 'end')).toBe(false);
  });
});

describe('readUsage of the Messages API', () => {
  it('keeps cache reads and writes apart from the input and splits writes by their lifetime', () => {
    expect(
      readUsage({
        input_tokens: 1,
        output_tokens: 9,
        cache_read_input_tokens: 2,
        cache_creation_input_tokens: 30,
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
        output_tokens_details: { thinking_tokens: 4 },
      }),
    ).toMatchObject({
      inputUncached: 1,
      cacheRead: 2,
      cacheWrite5m: 10,
      cacheWrite1h: 20,
      output: 9,
      reasoning: 4,
    });
    expect(readUsage({ input_tokens: 1, output_tokens: 9, cache_creation_input_tokens: 30 })).toMatchObject({
      cacheWrite5m: 30,
      cacheWrite1h: 0,
    });
  });

  it('adds the summaries that were billed beside the answer', () => {
    const usage = {
      input_tokens: 682,
      output_tokens: 1320,
      iterations: [
        { type: 'compaction', input_tokens: 60385, output_tokens: 592 },
        { type: 'message', input_tokens: 682, output_tokens: 1320 },
      ],
    };
    expect(readUsage(usage)).toMatchObject({
      ...{ inputUncached: 61067, output: 1912, source: 'provider' },
      aside: { inputUncached: 60385, output: 592 },
    });
    // The tool that an advisor comes by is refused.
    const advised = { ...usage, iterations: [...usage.iterations, { type: 'advisor_message', input_tokens: 5, output_tokens: 7 }] };
    expect(readUsage(advised)).toEqual(readUsage(usage));
  });

  it('returns null when no usage was reported', () => {
    for (const nothing of [undefined, null, {}, []]) expect(readUsage(nothing)).toBeNull();
  });
});

describeWithFixtures('captured replies of the Messages API', () => {
  const captures = () =>
    listCaptures({
      under: [
        'vercel+ai/anthropic/',
        'anthropics+',
        'agentgateway+agentgateway/anthropic/',
        'pydantic+pydantic-ai/anthropic/',
        'traceloop+openllmetry/anthropic/',
      ],
    })
      .flatMap((path) => loadCaptures(path))
      .filter((capture) => capture.role === 'reply');
  const streams = () => captures().filter((capture) => capture.kind === 'sse' && String(capture.body).includes('"message_start"'));
  const spliced = (path: string): boolean => path.includes('spliced-message-start');

  it('stream in the grammar, end in order with usage, and however the bytes are cut', () => {
    expect(streams().length).toBeGreaterThan(25);
    for (const { path, body } of streams()) {
      const whole = decode(String(body));
      expect([path, checkGrammar(whole)]).toEqual([path, []]);
      if (!spliced(path) && String(body).includes('"message_stop"'))
        expect([path, whole.slice(-3).map((event) => event.type)]).toEqual([path, ['finish', 'usage', 'end']]);
      for (const sizes of [[1], [3, 17, 64], [1000]]) expect(withoutChance(decode(String(body), sizes))).toEqual(withoutChance(whole));
    }
  });

  it('that are whole messages are all read', () => {
    const messages = captures().filter(
      (capture) =>
        capture.kind === 'json' &&
        /"type"\s*:\s*"message"/.test(String(capture.body)) &&
        String(capture.body).trimStart().startsWith('{') &&
        /"stop_reason"/.test(String(capture.body)),
    );
    expect(messages.length).toBeGreaterThan(25);
    for (const { path, body } of messages)
      expect([path, decodeReply(String(body), context).usage]).toEqual([path, expect.objectContaining({ source: 'provider' })]);
  });

  it('count once what a model that took over has made', () => {
    const [fallback] = loadCaptures('vercel+ai/anthropic/anthropic-fallback.json');
    const { usage } = decodeReply(String(fallback?.body), context);
    expect(usage).toMatchObject({ inputUncached: 412, output: 264, source: 'provider' });
    expect(usage).not.toHaveProperty('aside');
  });

  it('hold the search, its results, the citations and the grown usage', () => {
    const reply = collectReply(decode(String(loadCaptures('vercel+ai/anthropic/anthropic-web-search-tool.1.chunks.txt')[0]?.body)));
    const [search, ...rest] = reply.choices[0]?.content ?? [];

    expect(search).toMatchObject({
      type: 'web-search',
      query: 'tech news today September 26 2025',
      id: expect.stringMatching(/^srvtoolu_/),
    });
    expect(
      search?.type === 'web-search' &&
        search.results.every((result) => result.state?.family === 'anthropic' && result.url.startsWith('http')),
    ).toBe(true);
    expect(rest.some((block) => block.type === 'text' && (block.citations?.[0]?.citedText ?? '') !== '')).toBe(true);
    expect(reply.usage).toMatchObject({ inputUncached: 15665, output: 795, searches: 1 });
  });

  it('hold the refusal and why', () => {
    const reply = collectReply(decode(String(loadCaptures('vercel+ai/anthropic/anthropic-refusal.chunks.txt')[0]?.body)));
    expect(reply.choices[0]).toMatchObject({
      content: [],
      finish: { unified: 'content-filter', upstream: 'refusal', explanation: expect.stringContaining('violative cyber content') },
    });
  });

  it('give the same usage streamed and whole', () => {
    const whole = decodeReply(String(loadCaptures('vercel+ai/anthropic/anthropic-json-other-tool.1.json')[0]?.body), context);
    const streamed = collectReply(decode(String(loadCaptures('vercel+ai/anthropic/anthropic-json-other-tool.1.chunks.txt')[0]?.body)));
    const shape = (reply: typeof whole): unknown =>
      reply.choices[0]?.content.map((block) => [block.type, block.type === 'tool-call' ? block.name : '']);
    expect(shape(streamed)).toEqual(shape(whole));
  });
});
