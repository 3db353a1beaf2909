import { collectReply, type ChatEvent } from '@weir/canonical';
import { describeWithFixtures, listCaptures, loadCaptures } from '@weir/testing';
import { checkGrammar } from '../__fixtures__/check-grammar';
import { decodeInPieces, toSse, withoutChance } from '../__fixtures__/decode-in-pieces';
import type { UsageStyle } from './read-usage';
import { createStreamDecoder } from './decode-stream';

const decode = (body: string, sizes?: readonly number[], usage: UsageStyle = 'standard', customTools: string[] = []): ChatEvent[] =>
  decodeInPieces(
    createStreamDecoder({ usage, fallbackModel: 'fallback', customTools: new Set(customTools), detailsFamily: 'p' }),
    body,
    sizes,
  );

const chunk = (delta: unknown, more: object = {}): unknown => ({
  id: 'c1',
  created: 5,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const finish = (reason: string): unknown => chunk({}, { finish_reason: reason });
const replyOf = (events: ChatEvent[]) => collectReply(events);

describe('createStreamDecoder of chat completions', () => {
  it('emits text, the finish reason and usage in the order of the grammar, and the end once', () => {
    const events = decode(
      toSse([
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'a' }),
        chunk({ content: 'b' }),
        finish('stop'),
        { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
      ]),
    );

    expect(events.map((event) => event.type)).toEqual([
      'start',
      'text-start',
      'text-delta',
      'text-delta',
      'text-end',
      'finish',
      'usage',
      'end',
    ]);
    expect(replyOf(events).choices[0]?.content).toEqual([{ type: 'text', text: 'ab' }]);
    expect(replyOf(events).usage).toMatchObject({ inputUncached: 3, output: 2 });
  });

  it.each([
    [
      'in the choice',
      [
        {
          ...(finish('stop') as object),
          choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: { prompt_tokens: 9, completion_tokens: 1 } }],
        },
      ],
    ],
    ['under x_groq', [{ ...(finish('stop') as object), x_groq: { usage: { prompt_tokens: 9, completion_tokens: 1 } } }]],
    ['on the finish chunk', [{ ...(finish('stop') as object), usage: { prompt_tokens: 9, completion_tokens: 1 } }]],
    [
      'in every chunk, growing',
      [
        { ...(chunk({ content: 'a' }) as object), usage: { prompt_tokens: 9, completion_tokens: 0 } },
        { ...(finish('stop') as object), usage: { prompt_tokens: 9, completion_tokens: 1 } },
      ],
    ],
  ])('finds usage %s', (_, chunks) => {
    expect(replyOf(decode(toSse(chunks))).usage).toMatchObject({ inputUncached: 9, output: 1 });
  });

  it('keeps interleaved tool calls apart by their index', () => {
    const call = (index: number, id: string | undefined, fn: object): unknown =>
      chunk({ tool_calls: [{ index, ...(id === undefined ? {} : { id }), function: fn }] });
    const events = decode(
      toSse([
        call(0, 'a', { name: 'x', arguments: '' }),
        call(1, 'b', { name: 'y', arguments: '{"k"' }),
        call(0, undefined, { arguments: '{}' }),
        call(1, undefined, { arguments: ':1}' }),
        finish('stop'),
      ]),
    );

    expect(replyOf(events).choices[0]).toMatchObject({
      content: [
        { id: 'a', name: 'x', argumentsText: '{}' },
        { id: 'b', name: 'y', argumentsText: '{"k":1}' },
      ],
      finish: { unified: 'tool-calls', upstream: 'stop' },
    });
    expect(checkGrammar(events)).toEqual([]);
  });

  it('mints ids, separates whole calls without an index, and reads arguments that are not text', () => {
    const events = decode(
      toSse([
        chunk({ tool_calls: [{ function: { name: 'x', arguments: { a: 1 } } }, { function: { name: 'x', arguments: null } }] }),
        finish('tool_calls'),
      ]),
    );
    const content = replyOf(events).choices[0]?.content ?? [];

    expect(content).toMatchObject([{ argumentsText: '{"a":1}' }, { argumentsText: '{}' }]);
    expect(new Set(content.map((block) => (block.type === 'tool-call' ? block.id : '')))).toEqual(
      new Set([expect.stringMatching(/^call_[0-9a-f]{24}$/), expect.stringMatching(/^call_/)]),
    );
    expect((content[0] as { id: string }).id).not.toBe((content[1] as { id: string }).id);
  });

  it('continues a call whose fragments repeat the index with an empty name or a new id', () => {
    const part = (more: object, fn: object): unknown => chunk({ tool_calls: [{ index: 0, ...more, function: fn }] });
    const events = decode(
      toSse([
        part({ id: 'a' }, { name: 'x', arguments: '{"q"' }),
        part({}, { name: '', arguments: ':1' }),
        part({ id: 'zz' }, { arguments: '}' }),
        finish('tool_calls'),
      ]),
    );

    expect(replyOf(events).choices[0]?.content).toEqual([
      { type: 'tool-call', id: 'a', name: 'x', kind: 'function', argumentsText: '{"q":1}' },
    ]);
  });

  it('begins a new call when an index is used again with a new id and a name', () => {
    const part = (id: string, name: string): unknown => chunk({ tool_calls: [{ index: 0, id, function: { name, arguments: '{}' } }] });
    const events = decode(toSse([part('a', 'x'), part('b', 'y'), finish('tool_calls')]));

    expect(replyOf(events).choices[0]?.content).toMatchObject([
      { id: 'a', name: 'x' },
      { id: 'b', name: 'y' },
    ]);
  });

  it('reads one call from fragments under two indexes, and by its type where both members are filled in', () => {
    const custom = { name: '', input: '' };
    const events = decode(
      toSse([
        chunk({ tool_calls: [{ index: 1, id: 'a', type: 'function', function: { name: 'f', arguments: '' }, custom }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"n":' }, custom }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '1}' }, custom }] }),
        finish('tool_calls'),
      ]),
    );

    expect(replyOf(events).choices[0]?.content).toEqual([
      { type: 'tool-call', id: 'a', name: 'f', kind: 'function', argumentsText: '{"n":1}' },
    ]);
  });

  it('unwraps the input of a free-form tool that was offered as a function', () => {
    const events = decode(
      toSse([
        chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'run', arguments: '{"inp' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: 'ut":"ls -l"}' } }] }),
        finish('tool_calls'),
      ]),
      [7],
      'standard',
      ['run'],
    );

    expect(replyOf(events).choices[0]?.content).toEqual([
      { type: 'tool-call', id: 'a', name: 'run', kind: 'custom', argumentsText: 'ls -l' },
    ]);
  });

  it('reads reasoning under any of its names, before the text and as a block of its own', () => {
    for (const delta of [
      { reasoning_content: 'hm' },
      { reasoning: 'hm' },
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] },
    ]) {
      const events = decode(toSse([chunk(delta), chunk({ content: 'yes' }), finish('stop')]));
      expect(replyOf(events).choices[0]?.content).toEqual([
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'yes' },
      ]);
    }
  });

  it('ends with an error event when a chunk carries one, and emits nothing after it', () => {
    const events = decode(
      toSse([chunk({ content: 'a' }), { error: { message: 'slow down', code: 429 } }, chunk({ content: 'b' }), finish('stop')]),
    );

    expect(events.at(-1)).toEqual({ type: 'error', code: 'provider_rate_limited', message: 'slow down', status: 429, providerCode: '429' });
    expect(events.filter((event) => event.type === 'text-delta')).toHaveLength(1);
  });

  it('ends with an error event at a frame that is no JSON and at a finish reason that is an error', () => {
    expect(decode('data: {"broken\n\n').at(-1)).toMatchObject({ type: 'error', code: 'provider_unreadable' });
    expect(decode(toSse([chunk({ content: 'a' }), finish('insufficient_system_resource')])).at(-1)).toMatchObject({
      type: 'error',
      code: 'provider_failed',
    });
  });

  it('has no end when the stream stops before a choice has finished, and one without [DONE] when it has', () => {
    expect(decode(toSse([chunk({ content: 'a' })], false)).some((event) => event.type === 'end')).toBe(false);
    expect(decode(toSse([chunk({ content: 'a' }), finish('stop')], false)).at(-1)).toEqual({ type: 'end' });
  });

  it('finishes every choice, each with its own blocks', () => {
    const of = (index: number, more: object): unknown => ({
      id: 'c',
      model: 'm',
      choices: [{ index, delta: {}, finish_reason: null, ...more }],
    });
    const events = decode(
      toSse([
        of(0, { delta: { content: 'a' } }),
        of(1, { delta: { content: 'b' } }),
        of(1, { finish_reason: 'length' }),
        of(0, { finish_reason: 'stop' }),
      ]),
    );

    expect(replyOf(events).choices.map((choice) => [choice.index, choice.content, choice.finish.unified])).toEqual([
      [0, [{ type: 'text', text: 'a' }], 'stop'],
      [1, [{ type: 'text', text: 'b' }], 'length'],
    ]);
    expect(checkGrammar(events)).toEqual([]);
  });
});

describeWithFixtures('captured streams of chat completions', () => {
  const captured = () =>
    listCaptures({
      under: ['vercel+ai/', 'pydantic+pydantic-ai/', 'envoyproxy+ai-gateway/', 'traceloop+openllmetry/'],
      matching:
        /(groq|mistral|deepseek|xai|moonshotai|alibaba|perplexity|openai-compatible|openrouter|zai|together|openai\/ch|openai\/test)/,
    })
      .flatMap((path) => loadCaptures(path))
      .filter((capture) => capture.kind === 'sse' && String(capture.body).includes('chat.completion.chunk'))
      .map((capture) => ({ path: capture.path, body: String(capture.body) }));

  it('keep the grammar, and give the same events however the bytes are cut', () => {
    const streams = captured();
    expect(streams.length).toBeGreaterThan(25);
    for (const { path, body } of streams) {
      const whole = decode(body);
      expect([path, checkGrammar(whole)]).toEqual([path, []]);
      expect(whole[0]?.type).toBe('start');
      for (const sizes of [[1], [3, 17, 64], [5]]) expect(withoutChance(decode(body, sizes))).toEqual(withoutChance(whole));
    }
  });

  it('end in order with usage, unless they report an error', () => {
    const odd = captured()
      .map(({ path, body }) => ({
        path,
        last: decode(body)
          .map((event) => event.type)
          .slice(-3)
          .join(),
      }))
      .filter(({ last }) => last !== 'finish,usage,end');
    expect(odd.filter(({ last }) => !last.endsWith('error') && !last.endsWith('finish,end'))).toEqual([]);
  });

  const one = (path: string, usage?: UsageStyle) => {
    const capture = loadCaptures(path)[0];
    return collectReply(decode(String(capture?.body), undefined, usage));
  };

  it('are read with the call, the finish reason and the usage they hold', () => {
    expect(one('vercel+ai/groq/groq-tool-call.chunks.txt')).toMatchObject({
      choices: [
        { content: [{ type: 'tool-call', id: 'tk85n1k4m', name: 'weather', argumentsText: '{}' }], finish: { unified: 'tool-calls' } },
      ],
      usage: { inputUncached: 210, output: 15 },
    });
    expect(one('vercel+ai/mistral/mistral-incremental-tool-call.chunks.txt')).toMatchObject({
      choices: [{ content: [{ name: 'webSearchTool', argumentsText: '{"query": "current Berlin weather"}' }] }],
      usage: { inputUncached: 43, cacheRead: 128, output: 14 },
    });
    expect(one('vercel+ai/alibaba/alibaba-tool-call.chunks.txt').choices[0]?.content[0]).toMatchObject({
      id: 'call_eee11723464a4b9eb8cee71d',
      argumentsText: '{"location": "San Francisco"}',
    });
  });

  it('of a provider that counts reasoning apart are billed whole', () => {
    expect(one('vercel+ai/xai/xai-tool-call.chunks.txt', 'reasoning-apart').usage).toMatchObject({
      inputUncached: 1,
      cacheRead: 290,
      output: 222,
      reasoning: 196,
    });
  });

  it('of a searching provider carry its sources and one search', () => {
    const reply = one('vercel+ai/perplexity/perplexity-citations.chunks.txt', 'one-search-each');
    expect(reply.choices[0]?.content[0]).toMatchObject({
      type: 'text',
      citations: expect.arrayContaining([{ url: 'https://en.wikipedia.org/wiki/San_Francisco' }]),
    });
    expect(reply.usage).toMatchObject({ inputUncached: 10, output: 336, searches: 1 });
  });
});
