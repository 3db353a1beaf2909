import { collectReply, createLossReport, createOriginalBody, type ChatEvent, type ChatRequest, type OriginalBody } from '@weir/canonical';
import { describeWithFixtures, listCaptures, loadCaptures } from '@weir/testing';
import { buildRequest, buildTarget } from '../../__fixtures__/build-target';
import { checkGrammar } from '../../__fixtures__/check-grammar';
import { decodeInPieces, toSse, withoutChance } from '../../__fixtures__/decode-in-pieces';
import type { ModelFacts } from '../../provider/target';
import { decodeReply } from './decode-reply';
import { createStreamDecoder } from './decode-stream';
import { encodeOriginal, encodeRequest } from './encode-request';

const context = { family: 'openai', fallbackModel: 'fallback' };
const decode = (body: string, sizes?: readonly number[]): ChatEvent[] => decodeInPieces(createStreamDecoder(context), body, sizes);

function encode(request: Partial<ChatRequest>, facts: Partial<ModelFacts> = {}): { body: Record<string, unknown>; dropped: string[] } {
  const losses = createLossReport();
  const target = buildTarget('gpt-x', { supportsWebSearch: true, supportsDeveloperRole: true, ...facts });
  const call = encodeRequest(buildRequest(request), { family: 'openai', target, losses });
  return { body: JSON.parse(call.body) as Record<string, unknown>, dropped: [...losses.dropped] };
}

describe('encodeRequest of the Responses API', () => {
  it('stores nothing, and asks reasoning models for their encrypted reasoning', () => {
    expect(encode({}).body).toEqual({
      model: 'gpt-x',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
      store: false,
    });
    expect(encode({ reasoning: { effort: 'low', summary: 'auto' } }, { supportsReasoning: true }).body).toMatchObject({
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low', summary: 'auto' },
    });
  });

  it('calls the ordinary tier by its own name for it', () => {
    expect(encode({ serviceTier: 'standard_only' }).body).toMatchObject({ service_tier: 'default' });
    expect(encode({ serviceTier: 'flex' }).body).toMatchObject({ service_tier: 'flex' });
  });

  it('makes items of turns: prose, calls, results and its own reasoning', () => {
    const { body, dropped } = encode({
      turns: [
        { role: 'developer', content: [{ type: 'text', text: 'd' }] },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 's', isSummary: true, state: { family: 'openai', kind: 'encrypted', value: 'enc' } },
            { type: 'reasoning', text: 'foreign', state: { family: 'anthropic', kind: 'signature', value: 'x' } },
            { type: 'text', text: 'a' },
            { type: 'tool-call', id: 'c1', name: 'f', kind: 'function', argumentsText: '{"a": 1}' },
            { type: 'tool-call', id: 'c2', name: 'g', kind: 'custom', argumentsText: 'ls' },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c1',
              content: [
                { type: 'text', text: 'r' },
                { type: 'image', source: { kind: 'url', url: 'https://a/b.png' } },
              ],
            },
            { type: 'tool-result', toolCallId: 'c2', content: [{ type: 'text', text: 'out' }] },
          ],
        },
      ],
    });

    expect(body['input']).toEqual([
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'd' }] },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 's' }], encrypted_content: 'enc' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a', annotations: [] }] },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a": 1}' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'g', input: 'ls' },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: 'r' },
          { type: 'input_image', detail: 'auto', image_url: 'https://a/b.png' },
        ],
      },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'out' },
    ]);
    expect(dropped).toEqual(['messages.reasoning']);
  });

  it('writes tools flat, not strict unless asked, with the search tool and the choice', () => {
    const { body } = encode({
      tools: [
        { kind: 'function', name: 'f' },
        { kind: 'custom', name: 'g', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'd' } } },
        { kind: 'web-search', allowedDomains: ['a.org'] },
      ],
      toolChoice: { kind: 'allowed', mode: 'auto', names: ['f', 'g'], hasSearch: true },
      hasParallelTools: false,
      responseFormat: { kind: 'json-schema', schema: {}, isStrict: true },
      maxOutputTokens: 3,
      stop: ['x'],
    });

    expect(body).toMatchObject({
      tools: [
        { type: 'function', name: 'f', parameters: { type: 'object', properties: {} }, strict: false },
        { type: 'custom', name: 'g', format: { type: 'grammar', syntax: 'lark', definition: 'd' } },
        { type: 'web_search', filters: { allowed_domains: ['a.org'] } },
      ],
      tool_choice: {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'function', name: 'f' }, { type: 'custom', name: 'g' }, { type: 'web_search' }],
      },
      parallel_tool_calls: false,
      text: { format: { type: 'json_schema', name: 'answer', schema: {}, strict: true } },
      max_output_tokens: 16,
      include: ['web_search_call.action.sources'],
    });
    expect(encode({ stop: ['x'] }).dropped).toEqual(['stop']);
  });

  it('changes only the model of a body that is in its own words', () => {
    const call = encodeOriginal(
      createOriginalBody('{"model":"a/b","store": true,"requesty":{},"input":"x"}') as OriginalBody,
      buildTarget('gpt-x'),
      false,
    );
    expect(call).toEqual({ path: '/responses', body: '{"model":"gpt-x","store": true,"input":"x"}' });
  });
});

describe('createStreamDecoder of the Responses API', () => {
  const created = { type: 'response.created', response: { id: 'resp_1', model: 'm', created_at: 4, status: 'in_progress' } };
  const completed = {
    type: 'response.completed',
    response: {
      status: 'completed',
      usage: {
        input_tokens: 9,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 2 },
      },
    },
  };
  const added = (output_index: number, item: object): object => ({ type: 'response.output_item.added', output_index, item });
  const done = (output_index: number, item: object): object => ({ type: 'response.output_item.done', output_index, item });
  const contentOf = (...events: object[]) => collectReply(decode(toSse([created, ...events, completed], false))).choices[0]?.content;

  it('returns the usage of the final event', () => {
    const reply = collectReply(decode(toSse([created, completed], false)));
    expect(reply).toMatchObject({ id: 'resp_1', createdAtSeconds: 4, usage: { inputUncached: 5, cacheRead: 4, output: 5, reasoning: 2 } });
  });

  it('parts the paragraphs of a summary and keeps the encrypted reasoning of the item’s end', () => {
    const part = (summary_index: number, delta: string): object => ({
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      summary_index,
      delta,
    });
    expect(
      contentOf(
        added(0, { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'early' }),
        part(0, 'a'),
        part(0, 'b'),
        part(1, 'c'),
        done(0, { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'ab' }], encrypted_content: 'final' }),
      ),
    ).toEqual([{ type: 'reasoning', text: 'ab\n\nc', isSummary: true, state: { family: 'openai', kind: 'encrypted', value: 'final' } }]);
  });

  it('reads items that come whole, without deltas', () => {
    expect(
      contentOf(
        done(0, { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }),
        done(1, {
          type: 'message',
          content: [{ type: 'output_text', text: 'hi', annotations: [{ type: 'url_citation', url: 'u', start_index: 0, end_index: 2 }] }],
        }),
      ),
    ).toMatchObject([
      { type: 'tool-call', id: 'c', argumentsText: '{}' },
      { type: 'text', text: 'hi', citations: [{ url: 'u', start: 0, end: 2 }] },
    ]);
  });

  it('counts the searches that are billed', () => {
    const search = (index: number, type: string): object =>
      done(index, { type: 'web_search_call', id: `ws${index}`, status: 'completed', action: { type, query: 'q' } });
    expect(
      collectReply(decode(toSse([created, search(0, 'search'), search(1, 'open_page'), search(2, 'search'), completed], false))).usage
        ?.searches,
    ).toBe(2);
  });

  it.each([
    [{ type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'm' } } }, 'provider_failed'],
    [
      { type: 'response.failed', response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'm' } } },
      'provider_rate_limited',
    ],
    [{ type: 'error', code: 'server_error', message: 'm', param: null }, 'provider_failed'],
    [{ type: 'error', error: { type: 'invalid_request_error', message: 'm' } }, 'provider_refused'],
  ])('ends with an error event at %j', (event, code) => {
    expect(decode(toSse([created, event], false)).at(-1)).toMatchObject({ type: 'error', code, message: 'm' });
  });

  it('finishes an incomplete response with its reason, and has no end when the stream is cut', () => {
    const events = decode(
      toSse(
        [created, { type: 'response.incomplete', response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } } }],
        false,
      ),
    );
    expect(collectReply(events).choices[0]?.finish).toEqual({ unified: 'length', upstream: 'max_output_tokens' });
    expect(decode(toSse([created], false)).some((event) => event.type === 'end')).toBe(false);
  });
});

it('shortens ids of calls that another provider made, the same for call and result, in both lanes', () => {
  const id = 'x'.repeat(65);
  const { body } = encode({
    turns: [
      { role: 'assistant', content: [{ type: 'tool-call', id, name: 'f', kind: 'function', argumentsText: '{}' }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, content: [{ type: 'text', text: `"call_id":"${id}"` }] }] },
    ],
  });
  const idsOf = (input: unknown) => (input as { call_id: string }[]).map((item) => item.call_id);
  const [call, result] = idsOf(body['input']);
  const own = createOriginalBody(
    JSON.stringify({ ...body, model: 'm' }).replaceAll(`"call_id":"${call}"`, `"call_id": "${id}"`),
  ) as OriginalBody;

  expect(call).toMatch(/^call_[0-9a-f]{32}$/);
  expect(result).toBe(call);
  const sent = JSON.parse(encodeOriginal(own, buildTarget('gpt-x'), false).body.toString()) as { input: [unknown, { output: string }] };
  expect(idsOf(sent.input)).toEqual([call, call]);
  expect(sent.input[1].output).toBe(`"call_id":"${id}"`);
});

it('reads the chances of tokens in whole replies as in streams', () => {
  const hi = { token: 'hi', logprob: -0.1, bytes: [104, 105], top_logprobs: [] };
  const part = (logprobs: unknown) => ({ type: 'output_text', text: 'hi', annotations: [], logprobs });
  const reply = (logprobs: unknown) => decodeReply(JSON.stringify({ output: [{ type: 'message', content: [part(logprobs)] }] }), context);

  expect(reply([hi]).choices[0]?.logprobs).toEqual({ content: [hi] });
  expect(reply([]).choices[0]).not.toHaveProperty('logprobs');
});

describeWithFixtures('captured replies of the Responses API', () => {
  const captures = () =>
    listCaptures({ under: ['vercel+ai/', 'agentgateway+agentgateway/responses/', 'pydantic+pydantic-ai/', 'envoyproxy+ai-gateway/'] })
      .flatMap((path) => loadCaptures(path))
      .filter((capture) => capture.role === 'reply');
  // Written by hand, with a brace missing.
  const isBroken = (path: string): boolean => path.includes('parallel-tool-call-wrapper');
  const streams = () =>
    captures().filter(
      (capture) => capture.kind === 'sse' && String(capture.body).includes('"response.created"') && !isBroken(capture.path),
    );

  it('stream in the grammar and end in order, however the bytes are cut', () => {
    expect(streams().length).toBeGreaterThan(25);
    for (const { path, body } of streams()) {
      const whole = decode(String(body));
      expect([path, checkGrammar(whole)]).toEqual([path, []]);
      if (/"type":\s?"response\.completed"/.test(String(body))) expect([path, whole.at(-1)]).toEqual([path, { type: 'end' }]);
      for (const sizes of [[1], [3, 17, 640]]) expect(withoutChance(decode(String(body), sizes))).toEqual(withoutChance(whole));
    }
  });

  it('that are whole responses are all read', () => {
    const responses = captures().filter(
      (capture) =>
        capture.kind === 'json' &&
        /"object"\s*:\s*"response"/.test(String(capture.body)) &&
        /"status"\s*:\s*"(completed|incomplete)"/.test(String(capture.body)),
    );
    expect(responses.length).toBeGreaterThan(25);
    for (const { path, body } of responses)
      expect([path, decodeReply(String(body), context).choices[0]?.finish.unified]).toEqual([
        path,
        expect.stringMatching(/stop|tool-calls|length/),
      ]);
  });

  it('stream to the content that their final event holds', () => {
    for (const { path, body } of streams()) {
      const last = /data: (\{"type":\s?"response\.completed".*\})/.exec(String(body))?.[1];
      const final = last === undefined ? undefined : (JSON.parse(last) as { response: { output?: unknown[] } }).response;
      // Shortened by hand on one side only.
      if (final?.output === undefined || final.output.length === 0 || path.includes('openai-shell-')) continue;
      const whole = decodeReply(JSON.stringify(final), context);
      const shape = (reply: typeof whole): unknown =>
        reply.choices[0]?.content.map((block) => [
          block.type,
          'text' in block ? block.text : '',
          block.type === 'tool-call' ? block.argumentsText : '',
        ]);
      expect([path, shape(collectReply(decode(String(body))))]).toEqual([path, shape(whole)]);
    }
  });
});

it('reports a result’s error mark as lost', () => {
  const turns: ChatRequest['turns'] = [
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', content: [{ type: 'text', text: 'r' }], isError: true }] },
  ];
  expect(encode({ turns })).toMatchObject({
    body: { input: [{ type: 'function_call_output', call_id: 'c1', output: 'r' }] },
    dropped: ['messages.is_error'],
  });
});
