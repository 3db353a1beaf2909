import { collectReply, createLossReport, type ChatEvent, type ChatRequest } from '@weir/canonical';
import { describeWithFixtures, listCaptures, loadCapture, loadCaptures } from '@weir/testing';
import { buildRequest, buildTarget } from '../../__fixtures__/build-target';
import { checkGrammar } from '../../__fixtures__/check-grammar';
import { decodeInPieces, toSse, withoutChance } from '../../__fixtures__/decode-in-pieces';
import type { DecodeContext } from './candidate-stream';
import { decodeReply } from './decode-reply';
import { createStreamDecoder } from './decode-stream';
import { encodeRequest } from './encode-request';
import { readError } from './read-error';
import { readUsage } from './read-usage';

const context: DecodeContext = { family: 'google', fallbackModel: 'gemini-3-x', customTools: new Set(['run']) };
const decode = (body: string, sizes?: readonly number[]): ChatEvent[] => decodeInPieces(createStreamDecoder(context), body, sizes);
const chunk = (parts: object[], more: object = {}, rest: object = {}): object => ({
  candidates: [{ content: { role: 'model', parts }, ...more }],
  ...rest,
});
const contentOf = (...chunks: object[]) => collectReply(decode(toSse(chunks, false))).choices[0]?.content;

function encode(
  request: Partial<ChatRequest>,
  model = 'gemini-3-flash',
): { path: string; body: Record<string, unknown>; dropped: string[] } {
  const losses = createLossReport();
  const target = buildTarget(model, { supportsReasoning: true, supportsWebSearch: true });
  const call = encodeRequest(buildRequest(request), { family: 'google', target, losses });
  return { path: call.path, body: JSON.parse(call.body) as Record<string, unknown>, dropped: [...losses.dropped] };
}

it('keeps integers of 64 bits in the arguments of calls, in streams and in whole replies', () => {
  const text = JSON.stringify(chunk([{ functionCall: { name: 'f', args: { id: 0 } } }], { finishReason: 'STOP' }));
  const reply = text.replace('"id":0', '"id":9223372036854775807');
  const argumentsText = '{"id":9223372036854775807}';

  expect(decode(`data: ${reply}\n\n`)).toContainEqual(expect.objectContaining({ type: 'tool-call-delta', argumentsText }));
  expect(decodeReply(reply, context).choices[0]?.content).toEqual([expect.objectContaining({ argumentsText })]);
});

it('reads the chances of tokens, in streams and in whole replies', () => {
  const logprobsResult = {
    chosenCandidates: [{ token: 'é', tokenId: 7, logProbability: -0.5 }, { token: '!' }],
    topCandidates: [
      {
        candidates: [
          { token: 'é', logProbability: -0.5 },
          { token: 'e', logProbability: -1 },
        ],
      },
      {},
    ],
  };
  const reported = {
    content: [
      {
        token: 'é',
        logprob: -0.5,
        bytes: [195, 169],
        top_logprobs: [
          { token: 'é', logprob: -0.5, bytes: [195, 169] },
          { token: 'e', logprob: -1, bytes: [101] },
        ],
      },
      { token: '!', logprob: 0, bytes: [33], top_logprobs: [] },
    ],
  };
  const reply = chunk([{ text: 'é!' }], { logprobsResult, finishReason: 'STOP' });

  expect(decode(toSse([reply], false)).find((event) => event.type === 'text-delta')).toMatchObject({ logprobs: reported });
  expect(decodeReply(JSON.stringify(reply), context).choices[0]?.logprobs).toEqual(reported);
});

describe('encodeRequest of the Gemini API', () => {
  it('puts the model and the way of answering into the path', () => {
    expect(encode({}).path).toBe('/models/gemini-3-flash:generateContent');
    expect(encode({ stream: true }).path).toBe('/models/gemini-3-flash:streamGenerateContent?alt=sse');
  });

  it('alternates user and model, names the functions of results, and signs the first call of an answer', () => {
    const { body } = encode({
      turns: [
        { role: 'system', content: [{ type: 'text', text: 's' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'q' },
            { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            {
              type: 'tool-call',
              id: '1',
              name: 'f',
              kind: 'function',
              argumentsText: '{"a":1}',
              state: { family: 'google', kind: 'signature', value: 'sig' },
            },
            { type: 'tool-call', id: '2', name: 'g', kind: 'function', argumentsText: '' },
          ],
        },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', content: [{ type: 'text', text: '{"ok":true}' }] }] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: '2', isError: true, content: [{ type: 'text', text: 'bad' }] }] },
      ],
    });

    expect(body).toEqual({
      systemInstruction: { parts: [{ text: 's' }] },
      contents: [
        { role: 'user', parts: [{ text: 'q' }, { inlineData: { mimeType: 'image/png', data: 'AA' } }] },
        {
          role: 'model',
          parts: [
            { functionCall: { id: '1', name: 'f', args: { a: 1 } }, thoughtSignature: 'sig' },
            { functionCall: { id: '2', name: 'g', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: '1', name: 'f', response: { ok: true } } },
            { functionResponse: { id: '2', name: 'g', response: { error: 'bad' } } },
          ],
        },
      ],
    });
  });

  it('passes over the signature of a call that another provider made, for models that ask for one', () => {
    const turns: ChatRequest['turns'] = [
      {
        role: 'assistant',
        content: [
          {
            type: 'tool-call',
            id: '1',
            name: 'f',
            kind: 'function',
            argumentsText: '{}',
            state: { family: 'openai', kind: 'encrypted', value: 'x' },
          },
        ],
      },
    ];

    expect(encode({ turns }).body).toMatchObject({ contents: [{ parts: [{ thoughtSignature: 'skip_thought_signature_validator' }] }] });
    expect(JSON.stringify(encode({ turns }, 'gemini-2.5-flash').body)).not.toContain('thoughtSignature');
  });

  it('thinks by level or by budget, by the model’s generation', () => {
    expect(encode({ reasoning: { effort: 'low' } }).body).toMatchObject({
      generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' } },
    });
    expect(encode({ reasoning: { effort: 'high' } }, 'gemini-2.5-flash').body).toMatchObject({
      generationConfig: { thinkingConfig: { thinkingBudget: 24_576 } },
    });
    expect(encode({ reasoning: { effort: 'none' } }, 'gemini-2.5-flash').body).toMatchObject({
      generationConfig: { thinkingConfig: { thinkingBudget: 0 } },
    });
  });

  it('writes generation settings, formats, tools and the choice among them', () => {
    const { body, dropped } = encode({
      maxOutputTokens: 5,
      topK: 3,
      stop: ['x'],
      choices: 2,
      responseFormat: { kind: 'json-schema', schema: { type: 'object' } },
      tools: [{ kind: 'function', name: 'f', parameters: { type: 'object' } }, { kind: 'web-search' }],
      toolChoice: { kind: 'tool', name: 'f' },
      logitBias: { a: 1 },
    });

    expect(body).toMatchObject({
      generationConfig: {
        maxOutputTokens: 5,
        topK: 3,
        stopSequences: ['x'],
        candidateCount: 2,
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object' },
      },
      tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: { type: 'object' } }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
    });
    expect(dropped).toEqual(['logit_bias']);
  });
});

describe('replies of the Gemini API', () => {
  it('give thoughts, text and calls with their signatures', () => {
    expect(
      contentOf(
        chunk([{ text: 'hm', thought: true }]),
        chunk([{ text: 'a' }]),
        chunk([{ text: 'b', thoughtSignature: 'on-text' }]),
        chunk(
          [
            { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'on-call' },
            { functionCall: { name: 'run', args: { input: 'ls' } } },
          ],
          { finishReason: 'STOP' },
        ),
      ),
    ).toMatchObject([
      { type: 'reasoning', text: 'hm', isSummary: true },
      { type: 'text', text: 'ab' },
      { type: 'reasoning', text: '', state: { family: 'google', kind: 'signature', value: 'on-text' } },
      { type: 'tool-call', name: 'f', argumentsText: '{"a":1}', state: { value: 'on-call' } },
      { type: 'tool-call', name: 'run', kind: 'custom', argumentsText: 'ls' },
    ]);
  });

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['NEVER_SEEN', 'stop'],
  ])('finish %s as %s', (finishReason, unified) => {
    expect(collectReply(decode(toSse([chunk([{ text: 'a' }], { finishReason })], false))).choices[0]?.finish).toMatchObject({
      unified,
      upstream: finishReason,
    });
  });

  it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS'])(
    'are none where the model broke off: %s',
    (finishReason) => {
      const broken = chunk([], { finishReason, finishMessage: 'no such function' });
      const wordless = chunk([{ text: 'a' }], { finishReason });

      expect(decode(toSse([broken], false)).at(-1)).toMatchObject({ type: 'error', code: 'provider_failed', message: 'no such function' });
      expect(decode(toSse([wordless], false)).at(-1)).toMatchObject({
        type: 'error',
        message: expect.stringContaining(finishReason) as string,
      });
      expect(() => decodeReply(JSON.stringify(broken), context)).toThrow(
        expect.objectContaining({ code: 'provider_failed', message: 'no such function' }),
      );
    },
  );

  it('give the search before the text that cites it where both come at once, and else after it', () => {
    const groundingMetadata = {
      webSearchQueries: ['q'],
      groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }],
      groundingSupports: [{ segment: { startIndex: 0, endIndex: 1, text: 'a' }, groundingChunkIndices: [0] }],
    };
    const thought = { text: 'hm', thought: true };
    const whole = chunk([thought, { text: 'ab' }], { finishReason: 'STOP', groundingMetadata });
    const blocks = decodeReply(JSON.stringify(whole), context).choices[0]?.content ?? [];

    expect(blocks.map(({ type }) => type)).toEqual(['reasoning', 'web-search', 'text']);
    expect(blocks[2]).toMatchObject({ citations: [{ url: 'https://a.example', start: 0, end: 1 }] });
    expect(contentOf(chunk([{ text: 'a' }]), chunk([{ text: 'b' }], { finishReason: 'STOP', groundingMetadata }))).toMatchObject([
      { type: 'text', citations: [{ url: 'https://a.example' }] },
      { type: 'web-search', query: 'q' },
    ]);
  });

  it('say that a blocked prompt was filtered, and that a stream without a reason was cut', () => {
    const blocked = JSON.stringify({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 3 } });
    expect(decodeReply(blocked, context)).toMatchObject({
      choices: [{ content: [], finish: { unified: 'content-filter', upstream: 'SAFETY' } }],
      usage: { inputUncached: 3 },
    });
    expect(decode(toSse([chunk([{ text: 'a' }])], false)).some((event) => event.type === 'end')).toBe(false);
  });

  it('count thinking beside the answer, tools with the prompt and the cache inside it', () => {
    expect(
      readUsage({
        promptTokenCount: 29,
        candidatesTokenCount: 15,
        thoughtsTokenCount: 804,
        totalTokenCount: 848,
        cachedContentTokenCount: 9,
        toolUsePromptTokenCount: 1,
      }),
    ).toMatchObject({ inputUncached: 21, cacheRead: 9, output: 819, reasoning: 804 });
    expect(readUsage({ trafficType: 'ON_DEMAND' })).toBeNull();
  });

  it('charge as audio what of it was not cached', () => {
    const detail = (modality: string, tokenCount: number) => ({ modality, tokenCount });
    const reported = {
      promptTokenCount: 1000,
      candidatesTokenCount: 1,
      cachedContentTokenCount: 600,
      promptTokensDetails: [detail('TEXT', 300), detail('AUDIO', 700)],
    };
    const audioOf = (...cached: object[]) => readUsage({ ...reported, cacheTokensDetails: cached })?.audioInput;

    expect(audioOf(detail('AUDIO', 600))).toBe(100);
    expect(audioOf(detail('TEXT', 200), detail('AUDIO', 400))).toBe(300);
    expect(audioOf(detail('AUDIO', 900))).toBe(0);
    expect(audioOf()).toBe(400);
  });
});

describeWithFixtures('captured replies of the Gemini API', () => {
  const UNDER = [
    'vercel+ai/google/google-',
    'FirebaseExtended+vertexai-sdk-test-data/googleai/',
    'FirebaseExtended+vertexai-sdk-test-data/vertexai/',
  ];
  const captures = () =>
    listCaptures({ under: UNDER })
      .flatMap((path) => loadCaptures(path))
      .filter((capture) => capture.role === 'reply');

  it('stream in the grammar, however the bytes are cut', () => {
    const streams = captures().filter((capture) => capture.kind === 'sse' && String(capture.body).includes('"candidates"'));
    expect(streams.length).toBeGreaterThan(20);
    for (const { path, body } of streams) {
      const whole = decode(String(body));
      expect([path, checkGrammar(whole)]).toEqual([path, []]);
      for (const sizes of [[1], [3, 17, 640]]) expect(withoutChance(decode(String(body), sizes))).toEqual(withoutChance(whole));
    }
  });

  it('that are whole are read', () => {
    const replies = captures().filter((capture) => capture.kind === 'json' && /^\s*\{\s*"candidates": \[/.test(String(capture.body)));
    expect(replies.length).toBeGreaterThan(20);
    for (const { path, body } of replies)
      expect([path, decodeReply(String(body), context).choices.length]).toEqual([path, expect.any(Number)]);
  });

  it('hold the signature of the call', () => {
    const reply = decodeReply(String(loadCapture('vercel+ai/google/google-tool-call-gemini3.json').body), context);
    expect(reply.choices[0]).toMatchObject({
      content: expect.arrayContaining([
        expect.objectContaining({ type: 'tool-call', state: { family: 'google', kind: 'signature', value: expect.any(String) } }),
      ]),
      finish: { unified: 'tool-calls' },
    });
  });

  it('hold the search, its pages and the spans that rest on them', () => {
    const path = listCaptures({ under: UNDER, matching: /unary-success-google-search-grounding|grounding/ })[0] ?? '';
    const content = decodeReply(String(loadCapture(path).body), context).choices.flatMap((choice) => choice.content);
    expect(content.map((block) => block.type)).toEqual(expect.arrayContaining(['text', 'web-search']));
  });

  it('that are errors say how long to wait, and who is at fault', () => {
    const limited = String(loadCapture('vercel+ai/google/google-429-retry-info.json').body);
    expect(readError(429, {}, { text: limited, secrets: [] })).toMatchObject({
      code: 'provider_rate_limited',
      details: { retryAfterSeconds: expect.any(Number) },
    });
    const key = String(loadCapture('FirebaseExtended+vertexai-sdk-test-data/googleai/unary-failure-api-key.json').body);
    expect(readError(400, {}, { text: key, secrets: [] }).code).toBe('provider_credentials');
  });
});

it('reports the settings of a search, a tier or a speaker that it cannot encode', () => {
  const tools: ChatRequest['tools'] = [
    { kind: 'web-search', usesMax: 2, contextSize: 'low', userLocation: { country: 'DE' }, allowedDomains: ['a.org'] },
  ];
  const picture = { type: 'image' as const, source: { kind: 'base64' as const, mediaType: 'image/png', data: 'AA' }, detail: 'low' };
  const turns: ChatRequest['turns'] = [{ role: 'user', name: 'bob', content: [picture] }];

  expect(encode({ tools, turns, serviceTier: 'scale' }).dropped.sort()).toEqual([
    'image_url.detail',
    'max_uses',
    'messages.name',
    'search_context_size',
    'service_tier',
    'user_location',
    'web_search.filters',
  ]);
  expect(encode({ serviceTier: 'standard_only' })).toMatchObject({ body: { serviceTier: 'standard' }, dropped: [] });
});

it('reports strict tools and names of files as lost', () => {
  const file = {
    type: 'document' as const,
    source: { kind: 'base64' as const, mediaType: 'application/pdf', data: 'AA' },
    filename: 'a.pdf',
  };
  const tools: ChatRequest['tools'] = [{ kind: 'function', name: 'f', isStrict: true }];

  expect(encode({ tools, turns: [{ role: 'user', content: [file] }] }).dropped).toEqual(['messages.document.filename', 'tools.strict']);
  expect(encode({ tools: [{ kind: 'function', name: 'f', isStrict: false }] }).dropped).toEqual([]);
});

it('pictures of a reply are pictures, but for those of a thought', () => {
  const picture = { inlineData: { mimeType: 'image/png', data: 'aGk=' } };
  const reply = chunk([{ text: 'here' }, picture, { ...picture, thought: true }], { finishReason: 'STOP' });
  const expected = [
    { type: 'text', text: 'here' },
    { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'aGk=' } },
    { type: 'opaque', family: context.family },
  ];

  expect(decodeReply(JSON.stringify(reply), context).choices[0]?.content).toMatchObject(expected);
  expect(collectReply(decode(toSse([reply], false))).choices[0]?.content).toMatchObject(expected);
});
