import { collectReply, NO_USAGE } from '@weir/canonical';
import { describeWithFixtures, listCaptures, loadCaptures } from '@weir/testing';
import { checkGrammar } from '../__fixtures__/check-grammar';
import { decodeReply } from './decode-reply';
import { createStreamDecoder } from './decode-stream';
import { readUsage, type UsageStyle } from './read-usage';

const context = (usage: UsageStyle = 'standard') => ({
  usage,
  fallbackModel: 'fallback',
  customTools: new Set(['run']),
  detailsFamily: 'p',
});
const decode = (reply: object) => decodeReply(JSON.stringify(reply), context());
const choice = (message: object, finish_reason: string | null = 'stop') => ({ choices: [{ index: 0, message, finish_reason }] });

describe('decodeReply of chat completions', () => {
  it('reads text, refusal, reasoning and calls in the order they were thought', () => {
    const reply = decode({
      id: 'x',
      model: 'm',
      created: 7,
      ...choice({
        content: 'a',
        refusal: 'no',
        reasoning: 'hm',
        tool_calls: [{ id: 't', type: 'function', function: { name: 'f', arguments: '{"a": 1}' } }],
      }),
    });

    expect(reply).toMatchObject({ id: 'x', model: 'm', createdAtSeconds: 7, usage: null });
    expect(reply.choices[0]?.content.map((block) => block.type)).toEqual(['reasoning', 'text', 'refusal', 'tool-call']);
    expect(reply.choices[0]?.finish).toEqual({ unified: 'tool-calls', upstream: 'stop' });
  });

  it('takes members that a server filled in with nothing for absent', () => {
    const reply = decode(choice({ content: '4', refusal: '', tool_calls: null, function_call: { name: '', arguments: '' } }, ''));

    expect(reply.choices[0]).toMatchObject({ content: [{ type: 'text', text: '4' }], finish: { unified: 'stop' } });
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['model_length', 'context-full'],
    ['content_filter', 'content-filter'],
    ['eos', 'stop'],
    ['something_new', 'stop'],
    ['', 'stop'],
    [null, 'stop'],
  ])('reads the finish reason %s as %s', (word, unified) => {
    expect(decode(choice({ content: 'a' }, word)).choices[0]?.finish.unified).toBe(unified);
  });

  it('unwraps free-form tools that were offered as functions, and repairs missing ids and arguments', () => {
    const reply = decode(
      choice({ tool_calls: [{ function: { name: 'run', arguments: '{"input":"ls"}' } }, { function: { name: 'f', arguments: null } }] }),
    );

    expect(reply.choices[0]?.content).toMatchObject([
      { kind: 'custom', argumentsText: 'ls', id: expect.stringMatching(/^call_/) },
      { kind: 'function', argumentsText: '{}' },
    ]);
  });

  it('reads a call by its type where both members are filled in', () => {
    const empty = { name: '', input: '' };
    const filled = (more: object) => ({ id: 'a', function: { name: 'f', arguments: '{"n":1}' }, custom: empty, ...more });
    const called = { type: 'tool-call', id: 'a', name: 'f', kind: 'function', argumentsText: '{"n":1}' };
    for (const call of [filled({ type: 'function' }), filled({})]) {
      expect(decode(choice({ tool_calls: [call] })).choices[0]?.content).toEqual([called]);
    }
    const free = { id: 'b', custom: { name: 'g', input: 'x' }, function: { name: '', arguments: '' } };
    for (const call of [{ ...free, type: 'custom' }, free]) {
      expect(decode(choice({ tool_calls: [call] })).choices[0]?.content).toMatchObject([{ name: 'g', kind: 'custom', argumentsText: 'x' }]);
    }
  });

  it('throws the provider’s error that came with status 200, and unreadable for anything else', () => {
    expect(() => decode({ error: { message: 'busy', code: 429 } })).toThrow(expect.objectContaining({ code: 'provider_rate_limited' }));
    expect(() => decode({ choices: [{ error: { message: 'down', code: 502 } }] })).toThrow(
      expect.objectContaining({ code: 'provider_failed' }),
    );
    for (const text of ['', '<html>', '[]', '{}', '{"choices":[]}']) {
      expect(() => decodeReply(text, context())).toThrow(expect.objectContaining({ code: 'provider_unreadable' }));
    }
  });
});

describe('readUsage of chat completions', () => {
  it('takes cached and written tokens out of the prompt', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 10,
      prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30, audio_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 4 },
    };

    expect(readUsage(usage, 'standard')).toMatchObject({
      inputUncached: 10,
      cacheRead: 60,
      cacheWrite5m: 30,
      output: 10,
      reasoning: 4,
      audioInput: 5,
    });
  });

  it('adds reasoning that stands apart, as the total proves, and only then', () => {
    const apart = { prompt_tokens: 12, completion_tokens: 1, total_tokens: 303, completion_tokens_details: { reasoning_tokens: 290 } };

    expect(readUsage(apart, 'reasoning-apart')).toMatchObject({ output: 291, reasoning: 290 });
    expect(readUsage({ ...apart, total_tokens: undefined }, 'reasoning-apart')).toMatchObject({ output: 291 });
    expect(readUsage({ ...apart, completion_tokens: 291 }, 'reasoning-apart')).toMatchObject({ output: 291 });
    expect(readUsage({ ...apart, completion_tokens: 291 }, 'standard')).toMatchObject({ output: 291 });
  });

  it('adds more reasoning than there is completion, whatever the style, unless the total says otherwise', () => {
    const usage = { prompt_tokens: 12, completion_tokens: 1, completion_tokens_details: { reasoning_tokens: 290 } };

    expect(readUsage(usage, 'standard')).toMatchObject({ output: 291, reasoning: 290 });
    expect(readUsage({ ...usage, total_tokens: 13 }, 'standard')).toMatchObject({ output: 1, reasoning: 1 });
  });

  it('reads cache hits under other names, and gives no discount for more of them than there is prompt', () => {
    expect(readUsage({ prompt_tokens: 10, completion_tokens: 1, prompt_cache_hit_tokens: 4 }, 'standard')).toMatchObject({
      inputUncached: 6,
      cacheRead: 4,
    });
    expect(readUsage({ prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 99 } }, 'standard')).toMatchObject({
      inputUncached: 10,
      cacheRead: 0,
      isDoubtful: true,
    });
  });

  it('doubts counts that cannot be, and reads those that are written as text', () => {
    expect(readUsage({ prompt_tokens: -5, completion_tokens: 1.7 }, 'standard')).toEqual({ ...NO_USAGE, output: 2, isDoubtful: true });
    expect(readUsage({ prompt_tokens: '3', completion_tokens: 'x' }, 'standard')).toEqual({
      ...NO_USAGE,
      inputUncached: 3,
      isDoubtful: true,
    });
    expect(readUsage({ prompt_tokens: 3, completion_tokens: '4' }, 'standard')).toEqual({ ...NO_USAGE, inputUncached: 3, output: 4 });
  });

  it('marks usage as estimated where searches cost more than their number shows', () => {
    const reported = { prompt_tokens: 3, completion_tokens: 4 };
    const sourceOf = (more: object, style: UsageStyle = 'one-search-each') => readUsage({ ...reported, ...more }, style)?.source;

    expect(sourceOf({})).toBe('provider');
    expect(sourceOf({ search_context_size: 'medium', citation_tokens: 0 })).toBe('provider');
    expect(sourceOf({ search_context_size: 'huge' })).toBe('estimate');
    expect(sourceOf({ citation_tokens: 20_016 })).toBe('estimate');
    expect(sourceOf({ search_context_size: 'huge' }, 'standard')).toBe('provider');
  });

  it('counts searches by their size, which has a fee of its own, and as the least where none is said', () => {
    const searchesOf = (more: object) => {
      const { searches, searchesMedium, searchesHigh } =
        readUsage({ prompt_tokens: 3, completion_tokens: 4, ...more }, 'one-search-each') ?? NO_USAGE;
      return [searches, searchesMedium, searchesHigh];
    };
    expect(searchesOf({})).toEqual([1, undefined, undefined]);
    expect(searchesOf({ search_context_size: 'low' })).toEqual([1, undefined, undefined]);
    expect(searchesOf({ search_context_size: 'medium' })).toEqual([1, 1, undefined]);
    expect(searchesOf({ search_context_size: 'high', num_search_queries: 3 })).toEqual([3, undefined, 3]);
  });

  it('counts the tokens of recordings that stand in the total alone', () => {
    const reported = { prompt_audio_seconds: 203, prompt_tokens: 4, completion_tokens: 635, total_tokens: 3264 };
    expect(readUsage(reported, 'standard')).toMatchObject({ inputUncached: 2629, audioInput: 2625, output: 635, source: 'provider' });
    const { total_tokens: _total, ...untotalled } = reported;
    expect(readUsage(untotalled, 'standard')).toMatchObject({ inputUncached: 2643, audioInput: 2639, source: 'estimate' });
    expect(readUsage({ ...reported, prompt_tokens: 2629 }, 'standard')).toMatchObject({ inputUncached: 2629, output: 635 });
    expect(readUsage({ ...reported, prompt_audio_seconds: {} }, 'standard')).toMatchObject({ inputUncached: 4 });
  });

  it('returns null when no usage was reported', () => {
    for (const nothing of [undefined, null, 'x', [], {}, { prompt_tokens: 'three' }]) expect(readUsage(nothing, 'standard')).toBeNull();
  });
});

describeWithFixtures('captured whole chat completions', () => {
  it('are all read with a finish reason and disjoint usage', () => {
    const captures = listCaptures({ under: ['vercel+ai/', 'pydantic+pydantic-ai/', 'envoyproxy+ai-gateway/', 'traceloop+openllmetry/'] })
      .flatMap((path) => loadCaptures(path))
      .filter(
        (capture) => capture.kind === 'json' && capture.role === 'reply' && /"object"\s*:\s*"chat\.completion"/.test(String(capture.body)),
      );

    expect(captures.length).toBeGreaterThan(80);
    for (const capture of captures) {
      const reported = JSON.parse(String(capture.body)) as { usage?: { prompt_tokens?: number } };
      const reply = decodeReply(String(capture.body), context());
      expect([capture.path, reply.choices.length]).toEqual([capture.path, expect.any(Number)]);
      const usage = reply.usage;
      if (usage !== null) expect(usage.inputUncached + usage.cacheRead + usage.cacheWrite5m).toBe(reported.usage?.prompt_tokens);
    }
  });
});

it('pictures are read, whole and streamed, as bytes and as addresses', () => {
  const images = ['data:image/png;base64,aGk=', 'https://x.org/a.png'].map((url, index) => ({
    ...{ type: 'image_url', index },
    image_url: { url },
  }));
  const expected = [
    { type: 'text', text: 'A' },
    { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'aGk=' } },
    { type: 'image', source: { kind: 'url', url: 'https://x.org/a.png' } },
  ];
  const whole = decodeReply(JSON.stringify({ choices: [{ message: { content: 'A', images }, finish_reason: 'stop' }] }), context());
  const decoder = createStreamDecoder(context());
  const chunks = [{ delta: { content: 'A' } }, { delta: { content: '', images } }, { delta: {}, finish_reason: 'stop' }];
  const events = [
    ...chunks.flatMap((choice) =>
      decoder.push(Buffer.from(`data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, ...choice }] })}\n\n`)),
    ),
    ...decoder.end(),
  ];

  expect(whole.choices[0]?.content).toEqual(expected);
  expect(collectReply(events).choices[0]?.content).toEqual(expected);
  expect(checkGrammar(events)).toEqual([]);
});
