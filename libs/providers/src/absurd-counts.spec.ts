import { NO_USAGE, promptTokens, type Usage } from '@weir/canonical';
import fc from 'fast-check';
import { readUsage as readAnthropic } from './native/anthropic/read-usage';
import { readUsage as readAzure } from './native/azure/read-usage';
import { readUsage as readBedrock } from './native/bedrock/read-usage';
import { readUsage as readCohere } from './native/cohere/read-usage';
import { readUsage as readGoogle } from './native/google/read-usage';
import { readMediaUsage } from './native/google/read-media-usage';
import { readUsage as readResponses } from './native/openai-responses/read-usage';
import { decodeImageUsage } from './openai-compatible/media/decode-image-reply';
import { createSpeechEventDecoder } from './openai-compatible/media/decode-speech';
import { decodeTranscription } from './openai-compatible/media/decode-transcription';
import { readUsage as readCompletions } from './openai-compatible/read-usage';

/** What stands where a count should, as JSON can say it. */
const count = fc.oneof(
  fc.nat(5_000),
  fc.constantFrom<unknown>(null, undefined, -1, -1e300, 1e300, 12.7, '12', '-3', 'many', '', true, [], {}, 2 ** 53, 2 ** 40 + 1),
);
const details = <Name extends string>(...names: readonly Name[]) =>
  fc.oneof(fc.record(Object.fromEntries(names.map((name) => [name, count]))), fc.constantFrom<unknown>(null, undefined, 3, 'x'));
const list = (name: string, kinds: readonly string[], counted: string) =>
  fc.oneof(fc.array(fc.record({ [name]: fc.constantFrom(...kinds), [counted]: count }), { maxLength: 3 }), fc.constant(undefined));

const SHAPES: readonly [name: string, shape: fc.Arbitrary<unknown>, read: (reported: unknown) => Usage | null][] = [
  ...(['standard', 'reasoning-apart', 'one-search-each'] as const).map((style): (typeof SHAPES)[number] => [
    `chat completions, ${style}`,
    fc.record({
      ...{ prompt_tokens: count, completion_tokens: count, total_tokens: count, prompt_cache_hit_tokens: count, reasoning_tokens: count },
      prompt_tokens_details: details('cached_tokens', 'cache_write_tokens', 'audio_tokens'),
      completion_tokens_details: details('reasoning_tokens', 'audio_tokens'),
      num_search_queries: count,
    }),
    (reported) => readCompletions(reported, style),
  ]),
  [
    'responses',
    fc.record({
      ...{ input_tokens: count, output_tokens: count, num_web_searches: count },
      input_tokens_details: details('cached_tokens', 'cache_write_tokens'),
      output_tokens_details: details('reasoning_tokens'),
    }),
    readResponses,
  ],
  [
    'messages',
    fc.record({
      ...{ input_tokens: count, output_tokens: count, cache_read_input_tokens: count, cache_creation_input_tokens: count },
      cache_creation: details('ephemeral_5m_input_tokens', 'ephemeral_1h_input_tokens'),
      server_tool_use: details('web_search_requests'),
      output_tokens_details: details('thinking_tokens'),
    }),
    readAnthropic,
  ],
  [
    'converse',
    fc.record({
      ...{ inputTokens: count, outputTokens: count, cacheReadInputTokens: count, cacheWriteInputTokens: count },
      cacheDetails: list('ttl', ['5m', '1h'], 'inputTokens'),
    }),
    readBedrock,
  ],
  [
    'Cohere',
    fc.record({
      billed_units: details('input_tokens', 'output_tokens'),
      tokens: details('input_tokens', 'output_tokens'),
      cached_tokens: count,
    }),
    readCohere,
  ],
  [
    'Gemini',
    fc.record({
      ...{ promptTokenCount: count, toolUsePromptTokenCount: count, cachedContentTokenCount: count, candidatesTokenCount: count },
      ...{ thoughtsTokenCount: count, totalTokenCount: count },
      promptTokensDetails: list('modality', ['TEXT', 'AUDIO'], 'tokenCount'),
      candidatesTokensDetails: list('modality', ['TEXT', 'AUDIO'], 'tokenCount'),
    }),
    readGoogle,
  ],
];

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const BUCKETS = Object.keys(NO_USAGE).filter((name) => name !== 'source') as (keyof Usage)[];

describe.each(SHAPES)('whatever stands in usage of %s', (_, shape, read) => {
  it('reads as counts whose parts are within their wholes, or as nothing', () => {
    let seen = 0;
    fc.assert(
      fc.property(shape, (reported) => {
        const usage = read(JSON.parse(JSON.stringify(reported)));
        if (usage === null) return;
        seen += 1;
        for (const name of BUCKETS) expect([name, isCount(usage[name])]).toEqual([name, true]);
        expect(usage.reasoning).toBeLessThanOrEqual(usage.output);
        expect(usage.audioOutput).toBeLessThanOrEqual(usage.output);
        expect(usage.audioInput).toBeLessThanOrEqual(promptTokens(usage));
      }),
      { numRuns: 500 },
    );
    expect(seen).toBeGreaterThan(100);
  });
});

describe('what a provider cannot mean', () => {
  it.each<[string, Usage | null, Partial<Usage>]>([
    ['fewer tokens than none', readResponses({ input_tokens: 10, output_tokens: -2 }), { inputUncached: 10, output: 0 }],
    [
      'more cached than there is',
      readResponses({ input_tokens: 10, output_tokens: 2, input_tokens_details: { cached_tokens: 11 } }),
      { inputUncached: 10, cacheRead: 0 },
    ],
    [
      'more thoughts than words',
      readAnthropic({ input_tokens: 1, output_tokens: 2, output_tokens_details: { thinking_tokens: 3 } }),
      { output: 2, reasoning: 0 },
    ],
    ['no number', readBedrock({ inputTokens: 10, outputTokens: 'two' }), { inputUncached: 10, output: 0 }],
    [
      'more cached than there is, of what is not billed',
      readCohere({ tokens: { input_tokens: 10, output_tokens: 2 }, cached_tokens: 99 }),
      { inputUncached: 10 },
    ],
    [
      'more cached than there is, beside thoughts',
      readGoogle({ promptTokenCount: 10, cachedContentTokenCount: 11, thoughtsTokenCount: 4 }),
      { inputUncached: 10, output: 4 },
    ],
  ])('is doubted, and gives no discount: %s', (_, usage, counts) => {
    expect(usage).toMatchObject({ ...counts, isDoubtful: true });
  });

  it('is doubted of pictures and sound as well', () => {
    expect(readMediaUsage({ promptTokenCount: 5, candidatesTokenCount: -1 }, 'image')).toMatchObject({
      inputTextTokens: 5,
      isDoubtful: true,
    });
    expect(readMediaUsage({ promptTokenCount: 5, candidatesTokenCount: 7 }, 'image')).not.toHaveProperty('isDoubtful');
  });
});

type Reader = (reported: unknown) => Usage | null;
type Needed = readonly [dialect: string, read: Reader, input: string, output: string, total: string | null];

describe.each<Needed>([
  ['chat completions', (reported) => readCompletions(reported, 'standard'), 'prompt_tokens', 'completion_tokens', 'total_tokens'],
  [
    'chat completions, reasoning apart',
    (reported) => readCompletions(reported, 'reasoning-apart'),
    'prompt_tokens',
    'completion_tokens',
    'total_tokens',
  ],
  ['chat completions of Azure', readAzure, 'prompt_tokens', 'completion_tokens', 'total_tokens'],
  ['responses', readResponses, 'input_tokens', 'output_tokens', 'total_tokens'],
  ['messages', readAnthropic, 'input_tokens', 'output_tokens', null],
  ['converse', readBedrock, 'inputTokens', 'outputTokens', null],
  ['Cohere', (counts) => readCohere({ billed_units: counts }), 'input_tokens', 'output_tokens', null],
  ['Gemini', readGoogle, 'promptTokenCount', 'candidatesTokenCount', 'totalTokenCount'],
])('usage of %s that lacks a count', (_, read, input, output, total) => {
  it('is in doubt, so that what is missing is estimated', () => {
    expect(read({ [output]: 5 })).toEqual({ ...NO_USAGE, output: 5, isDoubtful: true });
    expect(read({ [output]: 5, [input]: null })).toMatchObject({ output: 5, isDoubtful: true });
    expect(read({ [input]: 7 })).toEqual({ ...NO_USAGE, inputUncached: 7, isDoubtful: true });
    expect(read({ [input]: 7, [output]: 5 })).toEqual({ ...NO_USAGE, inputUncached: 7, output: 5 });
  });

  it('is completed by its total where it has one', () => {
    if (total === null) return void expect(read({ [output]: 5, total_tokens: 12 })).toMatchObject({ isDoubtful: true });
    expect(read({ [output]: 5, [total]: 12 })).toEqual({ ...NO_USAGE, inputUncached: 7, output: 5 });
    expect(read({ [input]: 7, [total]: 12 })).toEqual({ ...NO_USAGE, inputUncached: 7, output: 5 });
    expect(read({ [output]: 5, [total]: 5 })).toMatchObject({ inputUncached: 0, isDoubtful: true });
  });

  it('counts a part of a token as one', () => {
    expect(read({ [input]: 0.4, [output]: 1.2 })).toEqual({ ...NO_USAGE, inputUncached: 1, output: 2 });
  });
});

describe('usage of pictures and sound that lacks a count', () => {
  const transcribed = (usage: object) => decodeTranscription({ bytes: Buffer.from(JSON.stringify({ text: 'a', usage })) }).usage;
  it('is in doubt, unless it is charged by the second', () => {
    for (const usage of [{ input_tokens: 7 }, { output_tokens: 5 }]) {
      expect(decodeImageUsage(usage, 1)).toMatchObject({ isDoubtful: true });
      expect(transcribed(usage)).toMatchObject({ isDoubtful: true });
      const done = `data: ${JSON.stringify({ type: 'speech.audio.done', usage })}\n\n`;
      expect(createSpeechEventDecoder().push(Buffer.from(done))).toMatchObject([{ usage: { isDoubtful: true } }]);
    }
    expect(readMediaUsage({ candidatesTokenCount: 5 }, 'audio')).toMatchObject({ outputAudioTokens: 5, isDoubtful: true });
    expect(transcribed({ type: 'duration', seconds: 3 })).not.toHaveProperty('isDoubtful');
    expect(decodeImageUsage({ output_tokens: 5, total_tokens: 12 }, 1)).toMatchObject({ inputTextTokens: 7, outputImageTokens: 5 });
  });
});

it('has no answer where the total of Gemini says so', () => {
  expect(readGoogle({ promptTokenCount: 7, thoughtsTokenCount: 4, totalTokenCount: 11 })).toEqual({
    ...{ ...NO_USAGE, inputUncached: 7, output: 4, reasoning: 4 },
  });
});

it('adds reasoning that exceeds the output of responses to it, unless the total says otherwise', () => {
  const reported = { input_tokens: 18, output_tokens: 5, output_tokens_details: { reasoning_tokens: 8 } };

  expect(readResponses(reported)).toEqual({ ...NO_USAGE, inputUncached: 18, output: 13, reasoning: 8 });
  expect(readResponses({ ...reported, total_tokens: 31 })).toMatchObject({ output: 13, reasoning: 8 });
  expect(readResponses({ ...reported, total_tokens: 23 })).toEqual({ ...NO_USAGE, inputUncached: 18, output: 5, reasoning: 5 });
});
