import { createLossReport, createOriginalBody, type ChatRequest, type ContentBlock, type OriginalBody } from '@weir/canonical';
import { buildRequest, buildTarget } from '../../__fixtures__/build-target';
import type { ModelFacts } from '../../provider/target';
import { encodeOriginal, encodeRequest } from './encode-request';
import { createSignRequest } from './sign-request';

type Body = Record<string, unknown> & { messages: { role: string; content: Record<string, unknown>[] }[] };
type Options = { model?: string; facts?: Partial<ModelFacts> };

function encode(
  request: Partial<ChatRequest>,
  { model = 'claude-sonnet-4-5', facts = {} }: Options = {},
): { body: Body; dropped: string[]; approximated: string[] } {
  const losses = createLossReport();
  const target = buildTarget(model, { supportsReasoning: true, supportsWebSearch: true, ...facts });
  const call = encodeRequest(buildRequest(request), { family: 'anthropic', target, losses });
  return { body: JSON.parse(call.body) as Body, dropped: [...losses.dropped], approximated: [...losses.approximated] };
}

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const call = (id: string, argumentsText = '{}'): ContentBlock => ({ type: 'tool-call', id, name: 'f', kind: 'function', argumentsText });
const result = (toolCallId: string, more: object = {}): ContentBlock => ({
  type: 'tool-result',
  toolCallId,
  content: [text('r')],
  ...more,
});
const refused = expect.objectContaining({ code: 'unsupported_field' });

describe('encodeRequest of the Messages API', () => {
  it('asks for the model’s own maximum when the caller set none', () => {
    expect(encode({}).body).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 4000,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    });
    expect(encode({ maxOutputTokens: 7, stream: true }).body).toMatchObject({ max_tokens: 7, stream: true });
  });

  it('puts leading instructions into system and later ones, marked, into the conversation', () => {
    const { body, approximated } = encode({
      turns: [
        { role: 'system', content: [text('a')] },
        { role: 'developer', content: [{ ...text('b'), cache: { ttl: '1h' } } as ContentBlock] },
        { role: 'user', content: [text('q')] },
        { role: 'system', content: [text('c')] },
      ],
    });

    expect(body['system']).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ]);
    expect(body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'q' },
          { type: 'text', text: '<system>c</system>' },
        ],
      },
    ]);
    expect(approximated).toEqual(['messages.system']);
  });

  it('joins the results of parallel calls and the next words of the user in one message, results first', () => {
    const { body } = encode({
      turns: [
        { role: 'user', content: [text('q')] },
        { role: 'assistant', content: [text('let me see'), call('a', '{"x": 1}'), call('b', '')] },
        { role: 'tool', content: [result('a')] },
        { role: 'tool', content: [result('b', { isError: true })] },
        { role: 'user', content: [text('go on')] },
      ],
    });

    expect(body.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'let me see' },
          { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
          { type: 'tool_use', id: 'b', name: 'f', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'r' }] },
          { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: 'r' }], is_error: true },
          { type: 'text', text: 'go on' },
        ],
      },
    ]);
  });

  it('keeps arguments that are no object, and makes illegal ids the same legal one on both sides', () => {
    const { body } = encode({
      turns: [
        { role: 'assistant', content: [call('a.b:c', '{"cut')] },
        { role: 'tool', content: [result('a.b:c')] },
      ],
    });
    const [used] = body.messages[0]?.content ?? [];

    expect(used).toMatchObject({ input: { _raw: '{"cut' } });
    expect(used?.['id']).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(body.messages[1]?.content[0]).toMatchObject({ tool_use_id: used?.['id'] });
  });

  it('sends its own thinking back with its signature, and leaves out what others signed', () => {
    const reasoning = (family: string, kind: 'signature' | 'redacted'): ContentBlock => ({
      type: 'reasoning',
      text: 'hm',
      state: { family, kind, value: 'sig' },
    });
    const { body, dropped } = encode({
      turns: [
        {
          role: 'assistant',
          content: [
            reasoning('anthropic', 'signature'),
            reasoning('anthropic', 'redacted'),
            reasoning('google', 'signature'),
            { type: 'reasoning', text: 'bare' },
            text('a'),
          ],
        },
      ],
    });

    expect(body.messages[0]?.content).toEqual([
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'redacted_thinking', data: 'sig' },
      { type: 'text', text: 'a' },
    ]);
    expect(dropped).toEqual(['messages.reasoning']);
  });

  it('writes images and documents from addresses, bytes and text', () => {
    const { body } = encode({
      turns: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { kind: 'url', url: 'https://a/b.png' } },
            { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA' }, cache: {} },
            {
              type: 'document',
              filename: 'a.pdf',
              source: { kind: 'base64', mediaType: 'application/pdf', data: 'BB' },
              hasCitations: true,
            },
            { type: 'document', source: { kind: 'text', mediaType: 'text/markdown', text: '# t' }, context: 'c' },
          ],
        },
      ],
    });

    expect(body.messages[0]?.content).toEqual([
      { type: 'image', source: { type: 'url', url: 'https://a/b.png' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' }, cache_control: { type: 'ephemeral' } },
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'BB' },
        title: 'a.pdf',
        citations: { enabled: true },
      },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: '# t' }, context: 'c' },
    ]);
  });

  it('writes tools, the choice among them, and one call at a time', () => {
    const tools = [
      { kind: 'function' as const, name: 'a', isStrict: true, cache: {} },
      { kind: 'function' as const, name: 'b', parameters: { type: 'object', properties: { x: {} } } },
    ];

    expect(encode({ tools, toolChoice: { kind: 'required' }, hasParallelTools: false }).body).toMatchObject({
      tools: [
        { name: 'a', input_schema: { type: 'object', properties: {} }, strict: true, cache_control: { type: 'ephemeral' } },
        { name: 'b', input_schema: { type: 'object', properties: { x: {} } } },
      ],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
    expect(encode({ tools, hasParallelTools: false }).body).toMatchObject({
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    });
    expect(encode({ tools, toolChoice: { kind: 'tool', name: 'b' } }).body).toMatchObject({ tool_choice: { type: 'tool', name: 'b' } });
    expect(encode({ tools, toolChoice: { kind: 'none' }, hasParallelTools: false }).body).toMatchObject({ tool_choice: { type: 'none' } });
    expect(encode({ tools, toolChoice: { kind: 'allowed', mode: 'auto', names: ['b'] } }).body).toMatchObject({
      tools: [{ name: 'b' }],
      tool_choice: { type: 'auto' },
    });
    const both = [...tools, { kind: 'web-search' as const }];
    const some = { kind: 'allowed', mode: 'auto', names: ['b'] } as const;
    expect(encode({ tools: both, toolChoice: some }).body['tools']).toHaveLength(1);
    expect(encode({ tools: both, toolChoice: { ...some, hasSearch: true } }).body['tools']).toHaveLength(2);
    expect(encode({ toolChoice: { kind: 'auto' } }).body).not.toHaveProperty('tool_choice');
  });

  it('writes the search tool where the model can search', () => {
    const tools = [{ kind: 'web-search' as const, usesMax: 3, allowedDomains: ['a.org'], userLocation: { country: 'DE' } }];

    expect(encode({ tools }).body['tools']).toEqual([
      {
        type: 'web_search_20250305',
        name: 'web_search',
        max_uses: 3,
        allowed_domains: ['a.org'],
        user_location: { type: 'approximate', country: 'DE' },
      },
    ]);
    expect(() => encode({ tools }, { facts: { supportsWebSearch: false } })).toThrow(refused);
  });

  it('thinks by budget on older models, below max_tokens and without sampling', () => {
    const old = encode({ reasoning: { effort: 'medium' }, maxOutputTokens: 20_000, temperature: 0.3, topP: 0.5 });

    expect(old.body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 8192 } });
    expect(old.body).not.toHaveProperty('temperature');
    expect(old.dropped.sort()).toEqual(['temperature', 'top_p']);
    expect(encode({ reasoning: { effort: 'high' }, maxOutputTokens: 3000 }).body).toMatchObject({
      max_tokens: 3000,
      thinking: { budget_tokens: 2400 },
    });
    expect(encode({ reasoning: { effort: 'high' }, maxOutputTokens: 900 })).toMatchObject({
      body: { thinking: { type: 'disabled' } },
      approximated: ['reasoning_effort'],
    });
    expect(encode({ reasoning: { effort: 'none' } }).body).toMatchObject({ thinking: { type: 'disabled' } });
  });

  it('thinks adaptively with an effort on newer models, and shows what it thinks', () => {
    expect(encode({ reasoning: { effort: 'xhigh' } }, { model: 'claude-opus-4-8' }).body).toMatchObject({
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'xhigh' },
    });
    expect(encode({ reasoning: { effort: 'xhigh' } }, { model: 'claude-sonnet-4-6' })).toMatchObject({
      body: { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
      approximated: ['reasoning_effort'],
    });
    expect(encode({ reasoning: { effort: 'minimal' } }, { model: 'claude-fable-5' }).body).toMatchObject({
      output_config: { effort: 'low' },
    });
  });

  it('does not think in a tool loop whose thinking was lost, nor under a forced call', () => {
    const turns: ChatRequest['turns'] = [
      { role: 'user', content: [text('q')] },
      { role: 'assistant', content: [call('a')] },
      { role: 'tool', content: [result('a')] },
    ];
    const tools = [{ kind: 'function' as const, name: 'f' }];

    expect(encode({ turns, tools, reasoning: { effort: 'low' } })).toMatchObject({
      body: { thinking: { type: 'disabled' } },
      approximated: ['reasoning_effort'],
    });
    expect(() => encode({ tools, toolChoice: { kind: 'required' }, reasoning: { effort: 'low' } })).toThrow(refused);
  });

  it('clamps temperature, and drops sampling where the model refuses it', () => {
    expect(encode({ temperature: 1.7 })).toMatchObject({ body: { temperature: 1 }, approximated: ['temperature'] });
    expect(encode({ temperature: 0.2, topP: 0.9 })).toMatchObject({ body: { temperature: 0.2 }, dropped: ['top_p'] });
    expect(encode({ temperature: 0.2, topK: 3 }, { model: 'claude-opus-5' })).toMatchObject({ dropped: ['temperature', 'top_k'] });
    expect(encode({ temperature: 0.2, topP: 0.9 }, { model: 'claude-3-haiku-20240307' }).body).toMatchObject({
      temperature: 0.2,
      top_p: 0.9,
    });
  });

  it('writes response formats, stops, tiers, users and the automatic cache', () => {
    const schema = { type: 'object' };
    const { body, dropped } = encode({
      responseFormat: { kind: 'json-schema', schema, name: 'n' },
      stop: ['END', ' \n'],
      serviceTier: 'default',
      endUserId: 'u',
      autoCache: { ttl: '5m' },
      seed: 1,
    });

    expect(body).toMatchObject({
      output_config: { format: { type: 'json_schema', schema } },
      stop_sequences: ['END'],
      service_tier: 'standard_only',
      metadata: { user_id: 'u' },
      cache_control: { type: 'ephemeral', ttl: '5m' },
    });
    expect(dropped.sort()).toEqual(['seed', 'stop']);
    expect(encode({ responseFormat: { kind: 'json' } })).toMatchObject({
      body: { system: [{ type: 'text' }] },
      approximated: ['response_format'],
    });
    expect(() => encode({ responseFormat: { kind: 'json-schema', schema } }, { facts: { supportsJsonSchema: false } })).toThrow(refused);
    expect(() => encode({ choices: 2 })).toThrow(refused);
  });

  it('sends a past search back whole when the results are its own, and not at all otherwise', () => {
    const search = (family: string): ContentBlock => ({
      type: 'web-search',
      id: 'srvtoolu_1',
      query: 'q',
      results: [{ url: 'https://a', title: 't', state: { family, kind: 'encrypted', value: 'enc' } }],
    });
    const cited: ContentBlock = {
      type: 'text',
      text: 'a',
      citations: [{ original: { family: 'messages', raw: { type: 'web_search_result_location', url: 'https://a' } } }],
    };

    expect(encode({ turns: [{ role: 'assistant', content: [search('anthropic'), cited] }] }).body.messages[0]?.content).toEqual([
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [{ type: 'web_search_result', url: 'https://a', title: 't', encrypted_content: 'enc' }],
      },
      { type: 'text', text: 'a', citations: [{ type: 'web_search_result_location', url: 'https://a' }] },
    ]);
    expect(encode({ turns: [{ role: 'assistant', content: [search('google'), cited] }] })).toMatchObject({
      body: { messages: [{ content: [{ type: 'text', text: 'a' }] }] },
      dropped: ['messages.web-search', 'messages.citations'],
    });
  });
});

describe('encodeOriginal of the Messages API', () => {
  const express = (body: string, stream = false): unknown =>
    JSON.parse(encodeOriginal(createOriginalBody(body) as OriginalBody, buildTarget('claude-x'), stream).body.toString());

  it('changes the model, removes our own members and leaves the rest byte for byte', () => {
    const call = encodeOriginal(
      createOriginalBody('{"model":"a/b", "max_tokens": 1e2,"weir":{},"messages":[ ],"tool_choice":{"type":"auto"} }') as OriginalBody,
      buildTarget('claude-x'),
      false,
    );
    expect(call).toEqual({
      path: '/messages',
      body: '{"model":"claude-x","max_tokens": 1e2,"messages":[ ],"tool_choice":{"type":"auto"}}',
    });
  });

  it('makes an object of a tool choice that is a word and clamps the temperature', () => {
    expect(express('{"tool_choice":"any","temperature":1.5}')).toMatchObject({ tool_choice: { type: 'any' }, temperature: 1 });
    expect(express('{"temperature":0.5}')).toMatchObject({ temperature: 0.5 });
    const lossesOf = (body: string): unknown =>
      encodeOriginal(createOriginalBody(body) as OriginalBody, buildTarget('claude-x'), false).approximated;
    expect([lossesOf('{"temperature":1.5}'), lossesOf('{"temperature":1}')]).toEqual([['temperature'], undefined]);
  });

  it('carries the caller’s beta header on and no other', () => {
    const target = { ...buildTarget('claude-x'), callerHeaders: { 'anthropic-beta': 'a,b', cookie: 'c', 'x-api-key': 'k' } };
    expect(encodeOriginal(createOriginalBody('{}') as OriginalBody, target, false).headers).toEqual({ 'anthropic-beta': 'a,b' });
  });

  it.each([
    ['2026-10-21', '2026-10-21'],
    ['latest', '2023-06-01'],
    [undefined, '2023-06-01'],
  ])('asks by the version %s that the caller’s body is written in as %s', (reported, sent) => {
    const headers = reported === undefined ? {} : { 'anthropic-version': reported };
    const target = { ...buildTarget('claude-x'), callerHeaders: headers };
    const call = encodeOriginal(createOriginalBody('{}') as OriginalBody, target, false);

    expect({ ...call.headers, ...createSignRequest('k')(call) }).toEqual({ 'x-api-key': 'k', 'anthropic-version': sent });
  });

  it('asks by its own version for what it wrote itself, whatever the caller speaks', () => {
    const target = { ...buildTarget('claude-x'), callerHeaders: { 'anthropic-version': '2026-10-21' } };
    const call = encodeRequest(buildRequest(), { family: 'anthropic', target, losses: createLossReport() });

    expect(createSignRequest('k')(call)).toMatchObject({ 'anthropic-version': '2023-06-01' });
  });
});

it('reports the sources of earlier replies as lost where their search is not known', () => {
  const citations = [
    { url: 'https://a.example', original: { family: 'messages', raw: { type: 'web_search_result_location' } } },
    { url: 'https://b.example' },
  ];
  const turns: ChatRequest['turns'] = [{ role: 'assistant', content: [{ type: 'text', text: 'a', citations }] }];

  expect(encode({ turns })).toMatchObject({
    body: { messages: [{ content: [{ type: 'text', text: 'a' }] }] },
    dropped: ['messages.citations'],
  });
});

it('puts what is said about a schema into the schema', () => {
  const schema = { type: 'object' };
  expect(
    encode({ responseFormat: { kind: 'json-schema', description: 'd', schema } }, { facts: { supportsJsonSchema: true } }).body[
      'output_config'
    ],
  ).toEqual({
    format: { type: 'json_schema', schema: { type: 'object', description: 'd' } },
  });
});
