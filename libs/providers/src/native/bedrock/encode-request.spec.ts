import { createLossReport, type ChatRequest, type ContentBlock } from '@weir/canonical';
import { describeWithFixtures, loadCapture, loadCaptures } from '@weir/testing';
import { buildRequest, buildTarget } from '../../__fixtures__/build-target';
import type { ModelFacts } from '../../chat-provider';
import { encodeRequest } from './encode-request';

type Json = Record<string, unknown>;
type Body = Json & { messages: { role: string; content: Json[] }[]; system?: Json[]; toolConfig?: { tools: Json[]; toolChoice?: Json } };
type Options = { model?: string; facts?: Partial<ModelFacts> };

const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const NOVA = 'us.amazon.nova-lite-v1:0';

function encode(request: Partial<ChatRequest>, { model = CLAUDE, facts = {} }: Options = {}) {
  const losses = createLossReport();
  const target = buildTarget(model, { supportsReasoning: true, ...facts });
  const { call, notes } = encodeRequest(buildRequest(request), { family: 'converse', target, losses });
  return { path: call.path, body: JSON.parse(call.body) as Body, notes, dropped: [...losses.dropped], approximated: [...losses.approximated] };
}

const text = (value: string, more: object = {}): ContentBlock => ({ type: 'text', text: value, ...more });
const user = (...content: ContentBlock[]) => ({ role: 'user', content }) as const;
const call = (id: string, argumentsText = '{}', name = 'f'): ContentBlock => ({ type: 'tool-call', id, name, kind: 'function', argumentsText });
const result = (toolCallId: string, more: object = {}): ContentBlock => ({ type: 'tool-result', toolCallId, content: [text('r')], ...more });
const image = (mediaType: string): ContentBlock => ({ type: 'image', source: { kind: 'base64', mediaType, data: 'aGk=' } });
const pdf = (filename?: string): ContentBlock => ({ type: 'document', source: { kind: 'base64', mediaType: 'application/pdf', data: 'aGk=' }, ...(filename === undefined ? {} : { filename }) });
const tools = [{ kind: 'function', name: 'f', parameters: { type: 'object' } }] as const;
const refused = expect.objectContaining({ code: 'unsupported_field' });

describe('encodeRequest of Converse', () => {
  it('puts the encoded name of the model into the path and nothing that nobody asked for into the body', () => {
    const { path, body } = encode({}, { model: NOVA });

    expect(path).toBe('/model/us.amazon.nova-lite-v1%3A0/converse');
    expect(body).toEqual({ messages: [{ role: 'user', content: [{ text: 'hi' }] }] });
    expect(encode({ stream: true }, { model: NOVA }).path).toBe('/model/us.amazon.nova-lite-v1%3A0/converse-stream');
  });

  it('puts leading instructions into system and later ones, marked, into the conversation', () => {
    const { body, approximated } = encode({
      turns: [{ role: 'system', content: [text('a')] }, { role: 'developer', content: [text('b', { cache: { ttl: '1h' } })] }, user(text('q')), { role: 'system', content: [text('c')] }],
    });

    expect(body.system).toEqual([{ text: 'a' }, { text: 'b' }, { cachePoint: { type: 'default', ttl: '1h' } }]);
    expect(body.messages).toEqual([{ role: 'user', content: [{ text: 'q' }, { text: '<system>c</system>' }] }]);
    expect(approximated).toEqual(['messages.system']);
  });

  it('joins the results of parallel calls and the next words of the user in one message, results first', () => {
    const { body } = encode({
      tools,
      turns: [
        user(text('q')),
        { role: 'assistant', content: [text('let me see'), call('a', '{"x": 1}'), call('b', ''), call('c!', 'no json')] },
        { role: 'tool', content: [result('a', { cache: {} })] },
        { role: 'tool', content: [result('b', { isError: true }), result('c!', { content: [text(' '), image('image/png')] })] },
        user(text('go on')),
      ],
    });
    const id = (body.messages[1]?.content[3]?.['toolUse'] as Json)['toolUseId'];

    expect(id).toMatch(/^tooluse_[0-9a-f]{24}$/);
    expect(body.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { text: 'let me see' },
          { toolUse: { toolUseId: 'a', name: 'f', input: { x: 1 } } },
          { toolUse: { toolUseId: 'b', name: 'f', input: {} } },
          { toolUse: { toolUseId: id, name: 'f', input: { _raw: 'no json' } } },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'a', content: [{ text: 'r' }] } },
          { cachePoint: { type: 'default' } },
          { toolResult: { toolUseId: 'b', content: [{ text: 'r' }], status: 'error' } },
          { toolResult: { toolUseId: id, content: [{ image: { format: 'png', source: { bytes: 'aGk=' } } }] } },
          { text: 'go on' },
        ],
      },
    ]);
  });

  it('tells calls of the past in words when no tool may be called now', () => {
    const turns = [user(text('q')), { role: 'assistant', content: [call('a', '{"x":1}')] }, { role: 'tool', content: [result('a', { content: [text('r'), image('image/png')] })] }] as const;
    const { body, approximated } = encode({ tools, toolChoice: { kind: 'none' }, turns });

    expect(body.toolConfig).toBeUndefined();
    expect(body.messages.slice(1)).toEqual([
      { role: 'assistant', content: [{ text: '<tool_call name="f">{"x":1}</tool_call>' }] },
      { role: 'user', content: [{ text: '<tool_result>r</tool_result>' }, { image: { format: 'png', source: { bytes: 'aGk=' } } }] },
    ]);
    expect(approximated).toEqual(['messages.tool_calls']);
    expect(encode({ turns }).body.messages).toEqual(body.messages);
    expect(encode({ tools, toolChoice: { kind: 'none' } })).toMatchObject({ body: { messages: [{ content: [{ text: 'hi' }] }] }, approximated: [] });
  });

  it('leaves out blank text and messages of nothing else', () => {
    expect(encode({ turns: [user(text('a'), text(' \n')), { role: 'assistant', content: [text('')] }, user(text('b')), { role: 'assistant', content: [text('so ')] }] }).body.messages).toEqual([
      { role: 'user', content: [{ text: 'a' }, { text: 'b' }] },
      { role: 'assistant', content: [{ text: 'so' }] },
    ]);
  });

  it('drops what has no word here, and says so', () => {
    const request = { seed: 1, presencePenalty: 1, frequencyPenalty: 1, logitBias: { '1': 1 }, topLogprobs: 2, verbosity: 'low', cacheKey: 'k', unmapped: { store: true }, endUserId: 'ü' };
    expect(encode(request).dropped.sort()).toEqual(['frequency_penalty', 'logit_bias', 'logprobs', 'presence_penalty', 'prompt_cache_key', 'seed', 'store', 'user', 'verbosity']);
    expect(encode({ endUserId: 'u-1', serviceTier: 'flex' }).body).toMatchObject({ requestMetadata: { user: 'u-1' }, serviceTier: { type: 'flex' } });
    expect(() => encode({ choices: 2 })).toThrow(refused);
  });
});

describe('media for Converse', () => {
  it.each([
    [image('image/jpg'), { image: { format: 'jpeg', source: { bytes: 'aGk=' } } }],
    [{ type: 'image', source: { kind: 'url', url: 's3://bucket/a.PNG' } }, { image: { format: 'png', source: { s3Location: { uri: 's3://bucket/a.PNG' } } } }],
    [{ type: 'video', source: { kind: 'base64', mediaType: 'video/3gpp', data: 'aGk=' } }, { video: { format: 'three_gp', source: { bytes: 'aGk=' } } }],
    [{ type: 'audio', data: 'aGk=', format: 'WAV' }, { audio: { format: 'wav', source: { bytes: 'aGk=' } } }],
    [{ type: 'document', source: { kind: 'text', mediaType: 'text/plain', text: 'hi' } }, { document: { format: 'txt', name: 'document', source: { bytes: 'aGk=' } } }],
    [{ type: 'document', source: { kind: 'text', mediaType: 'text/plain', text: 'hi' }, hasCitations: true, context: 'c' }, { document: { format: 'txt', name: 'document', source: { text: 'hi' }, context: 'c', citations: { enabled: true } } }],
    [{ type: 'document', source: { kind: 'base64', mediaType: 'application/octet-stream', data: 'aGk=' }, filename: 'notes.md' }, { document: { format: 'md', name: 'notes', source: { bytes: 'aGk=' } } }],
  ] as [ContentBlock, Json][])('writes %j', (block, expected) => {
    expect(encode({ turns: [user(text('q'), block)] }).body.messages[0]?.content[1]).toEqual(expected);
  });

  it.each([
    { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
    { type: 'image', source: { kind: 'file', fileId: 'f' } },
    { type: 'document', source: { kind: 'url', url: 'https://example.com/a' } },
    { type: 'document', source: { kind: 'file', fileId: 'f' } },
    { type: 'video', source: { kind: 'url', url: 'https://example.com/a.mp4' } },
    image('image/tiff'),
    { type: 'document', source: { kind: 'base64', mediaType: 'application/zip', data: 'aGk=' } },
  ] as ContentBlock[])('refuses %j', (block) => {
    expect(() => encode({ turns: [user(text('q'), block)] })).toThrow(refused);
  });

  it('names documents with the characters that are allowed, and none twice', () => {
    const { body } = encode({ turns: [user(text('q'), pdf('Q3 — report_v2.final.pdf'), pdf('a.pdf'), pdf('a.csv'), pdf()), user(pdf('a'))] });
    expect(body.messages[0]?.content.slice(1).map((block) => (block['document'] as Json)['name'])).toEqual(['Q3 - report-v2-final', 'a', 'a [2]', 'document', 'a [3]']);
  });

  it('puts words beside a document that came without any', () => {
    const { body, approximated } = encode({ turns: [user(pdf('a.pdf'))] });

    expect(body.messages[0]?.content).toEqual([expect.objectContaining({ document: expect.anything() }), { text: 'The document is attached.' }]);
    expect(approximated).toEqual(['messages.document']);
  });
});

describe('tools for Converse', () => {
  it('offers functions, and free-form tools as functions of one string', () => {
    const { body, notes, approximated } = encode({ tools: [{ kind: 'function', name: 'f', description: ' ', isStrict: true, cache: {} }, { kind: 'custom', name: 'run' }] });

    expect(body.toolConfig?.tools).toEqual([
      { toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } }, strict: true } },
      { cachePoint: { type: 'default' } },
      { toolSpec: { name: 'run', inputSchema: { json: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] } } } },
    ]);
    expect(notes.customTools).toEqual(new Set(['run']));
    expect(approximated).toEqual(['tools']);
  });

  it('shortens names that are too long, the same everywhere, and remembers them', () => {
    const long = `mcp__${'server'.repeat(12)}__tool`;
    const { body, notes } = encode({ tools: [{ kind: 'function', name: long }], toolChoice: { kind: 'tool', name: long }, turns: [user(text('q')), { role: 'assistant', content: [call('a', '{}', long)] }, { role: 'tool', content: [result('a')] }] });
    const sent = (body.toolConfig?.tools[0]?.['toolSpec'] as Json)['name'] as string;

    expect(sent).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(body.toolConfig?.toolChoice).toEqual({ tool: { name: sent } });
    expect(body.messages[1]?.content[0]).toMatchObject({ toolUse: { name: sent } });
    expect(notes.toolNames).toEqual(new Map([[sent, long]]));
  });

  it.each([
    [{ kind: 'auto' }, { auto: {} }],
    [{ kind: 'required' }, { any: {} }],
    [{ kind: 'tool', name: 'f' }, { tool: { name: 'f' } }],
    [{ kind: 'allowed', mode: 'required', names: ['f'] }, { any: {} }],
    [undefined, undefined],
  ] as [ChatRequest['toolChoice'], Json | undefined][])('writes the choice %j', (toolChoice, expected) => {
    const { body } = encode({ tools: [...tools, { kind: 'function', name: 'g' }], ...(toolChoice === undefined ? {} : { toolChoice }) });

    expect(body.toolConfig?.toolChoice).toEqual(expected);
    expect(body.toolConfig?.tools).toHaveLength(toolChoice?.kind === 'allowed' ? 1 : 2);
  });

  it('asks Claude’s models in their own words for one call at a time, and reports the others', () => {
    const serial = encode({ tools, toolChoice: { kind: 'required' }, hasParallelTools: false });

    expect(serial.body.toolConfig?.toolChoice).toBeUndefined();
    expect(serial.body['additionalModelRequestFields']).toEqual({ tool_choice: { type: 'any', disable_parallel_tool_use: true } });
    expect(encode({ tools, hasParallelTools: false }, { model: NOVA }).dropped).toEqual(['parallel_tool_calls']);
  });

  it('refuses searches and tools of other families', () => {
    expect(() => encode({ tools: [{ kind: 'web-search' }] })).toThrow(refused);
    expect(() => encode({ tools: [{ kind: 'hosted', family: 'messages', type: 'bash', raw: {} }] })).toThrow(refused);
    expect(encode({ tools: [{ kind: 'hosted', family: 'converse', type: 'x', raw: { systemTool: { name: 'x' } } }] }).body.toolConfig?.tools).toEqual([{ systemTool: { name: 'x' } }]);
  });
});

describe('the fields of the model’s maker', () => {
  const fields = (request: Partial<ChatRequest>, options?: Options): unknown => encode(request, options).body['additionalModelRequestFields'];
  const config = (request: Partial<ChatRequest>, options?: Options): unknown => encode(request, options).body['inferenceConfig'];

  it('samples within what the model takes', () => {
    expect(config({ temperature: 1.5, stop: ['a', ' '], maxOutputTokens: 7 })).toEqual({ maxTokens: 7, temperature: 1, stopSequences: ['a'] });
    expect(encode({ temperature: 0.5, topP: 0.9 })).toMatchObject({ body: { inferenceConfig: { temperature: 0.5 } }, dropped: ['top_p'] });
    expect(encode({ temperature: 0.5, topK: 5 }, { model: 'eu.anthropic.claude-opus-4-8' })).toMatchObject({ dropped: ['temperature', 'top_k'] });
    expect(config({ temperature: 0.5, topP: 0.9 }, { model: NOVA })).toEqual({ temperature: 0.5, topP: 0.9 });
  });

  it.each([
    [CLAUDE, { top_k: 5 }],
    [NOVA, { inferenceConfig: { topK: 5 } }],
    ['cohere.command-r-v1:0', { k: 5 }],
    ['us.meta.llama4-scout-17b-instruct-v1:0', undefined],
  ])('writes top_k for %s', (model, expected) => {
    expect(fields({ topK: 5 }, { model })).toEqual(expected);
  });

  it.each([
    [CLAUDE, { effort: 'low' }, { thinking: { type: 'enabled', budget_tokens: 2048 } }],
    [CLAUDE, { effort: 'none' }, { thinking: { type: 'disabled' } }],
    ['us.anthropic.claude-opus-4-6-v1', { effort: 'high' }, { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
    ['openai.gpt-oss-120b-1:0', { effort: 'medium' }, { reasoning_effort: 'medium' }],
    ['us.amazon.nova-2-lite-v1:0', { effort: 'max' }, { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' } }],
    ['us.amazon.nova-2-lite-v1:0', { mode: 'disabled' }, { reasoningConfig: { type: 'disabled' } }],
    ['us.deepseek.r1-v1:0', { effort: 'low' }, undefined],
  ] as [string, ChatRequest['reasoning'] & object, Json | undefined][])('asks %s to reason %j', (model, reasoning, expected) => {
    expect(fields({ reasoning }, { model })).toEqual(expected);
  });

  it('bounds an answer with a budget to think, refuses to sample, and refuses forced calls', () => {
    const reasoning = { effort: 'low' } as const;

    expect(encode({ reasoning, temperature: 0.3 })).toMatchObject({ body: { inferenceConfig: { maxTokens: 4000 } }, dropped: ['temperature'] });
    expect(() => encode({ reasoning, tools, toolChoice: { kind: 'required' } })).toThrow(refused);
    expect(encode({ reasoning: { effort: 'low' } }, { facts: { supportsReasoning: false } }).dropped).toEqual(['reasoning_effort']);
  });

  it('sends reasoning back to who issued it only', () => {
    const reason = (family: string, kind: 'signature' | 'redacted') => ({ type: 'reasoning', text: 'hm', state: { family, kind, value: 'si' } }) as const;
    const sent = (block: ContentBlock, model = CLAUDE): unknown => encode({ turns: [user(text('q')), { role: 'assistant', content: [block, text('a')] }] }, { model }).body.messages[1]?.content;

    expect(sent(reason('converse', 'signature'))).toEqual([{ reasoningContent: { reasoningText: { text: 'hm', signature: 'si' } } }, { text: 'a' }]);
    expect(sent(reason('converse', 'redacted'))).toEqual([{ reasoningContent: { redactedContent: 'si' } }, { text: 'a' }]);
    expect(sent(reason('messages', 'redacted'))).toEqual([{ reasoningContent: { redactedContent: 'c2k=' } }, { text: 'a' }]);
    for (const other of [sent(reason('google', 'signature')), sent(reason('messages', 'signature'), NOVA), sent({ type: 'reasoning', text: 'unsigned' })]) expect(other).toEqual([{ text: 'a' }]);
  });

  it('caches where the model can', () => {
    const turns = [user(text('a', { cache: { ttl: '1h' } }))];

    expect(encode({ turns, autoCache: {} }).body.messages[0]?.content).toEqual([{ text: 'a' }, { cachePoint: { type: 'default', ttl: '1h' } }]);
    expect(encode({ autoCache: {} }, { model: NOVA }).body.messages[0]?.content).toEqual([{ text: 'hi' }, { cachePoint: { type: 'default' } }]);
    expect(encode({ turns }, { model: NOVA })).toMatchObject({ body: { messages: [{ content: [{ text: 'a' }, { cachePoint: { type: 'default' } }] }] }, approximated: ['cache_control'] });
    expect(encode({ turns }, { model: 'us.meta.llama4-scout-17b-instruct-v1:0' })).toMatchObject({ body: { messages: [{ content: [{ text: 'a' }] }] }, dropped: ['cache_control'] });
  });
});

describe('structured answers of Converse', () => {
  const responseFormat = { kind: 'json-schema', name: 'city', schema: { type: 'object', properties: { a: { type: 'string' } } } } as const;

  it('asks by schema where the model knows how', () => {
    const { body, notes } = encode({ responseFormat });

    expect(body['outputConfig']).toEqual({ textFormat: { type: 'json_schema', structure: { jsonSchema: { name: 'city', schema: JSON.stringify(responseFormat.schema) } } } });
    expect(notes.hasAnswerTool).toBe(false);
  });

  it('asks for a forced call otherwise, and remembers it', () => {
    const { body, notes } = encode({ responseFormat }, { model: 'anthropic.claude-3-haiku-20240307-v1:0' });

    expect(body.toolConfig).toEqual({ tools: [{ toolSpec: { name: 'json_output', description: expect.any(String), inputSchema: { json: responseFormat.schema } } }], toolChoice: { any: {} } });
    expect(body['outputConfig']).toBeUndefined();
    expect(notes.hasAnswerTool).toBe(true);
  });

  it('refuses where neither can be had, and hints where no schema was given', () => {
    expect(() => encode({ responseFormat }, { facts: { supportsJsonSchema: false } })).toThrow(refused);
    expect(() => encode({ responseFormat }, { model: 'us.meta.llama4-scout-17b-instruct-v1:0' })).toThrow(refused);
    expect(() => encode({ responseFormat, reasoning: { effort: 'low' } }, { model: 'anthropic.claude-sonnet-4-20250514-v1:0' })).toThrow(refused);
    expect(encode({ responseFormat: { kind: 'json' } })).toMatchObject({ body: { system: [{ text: expect.stringContaining('JSON') }] }, approximated: ['response_format'] });
  });
});

describeWithFixtures('requests that other software sends to Converse', () => {
  const golden = (name: string): Body => (JSON.parse(String(loadCapture(`agentgateway+agentgateway/golden-snap-requests-${name}.bedrock.snap`).body)) as { request: Body }).request;
  const weather = { kind: 'function', name: 'get_weather' } as const;

  it('say the same as ours for text, media, thinking and schemas', () => {
    const media = [image('image/png'), pdf('report.pdf'), { ...pdf('data.csv'), source: { kind: 'text', mediaType: 'text/csv', text: 'a,b,c' } }, { ...pdf('notes.md'), source: { kind: 'base64', mediaType: 'application/octet-stream', data: 'dGVzdA==' } }, pdf('report.pdf'), { type: 'document', source: { kind: 'text', mediaType: 'text/plain', text: 'test' } }] as ContentBlock[];
    const withoutBytes = (body: Body): unknown => JSON.parse(JSON.stringify(body.messages).replaceAll(/"bytes":"[^"]*"/g, '"bytes":""'));
    const { body } = encode({ maxOutputTokens: 64, turns: [user(text('Compare these documents and image.'), ...media)] });
    expect(withoutBytes(body)).toEqual(withoutBytes(golden('responses/input-media')));

    const thinking = encode({ maxOutputTokens: 1024, reasoning: { mode: 'adaptive', effort: 'high' }, turns: [user(text('Give one concise insight about distributed consensus.', { cache: {} }))] }, { model: 'anthropic.claude-opus-4-6-v1' }).body;
    expect(thinking).toEqual({ ...golden('messages/reasoning'), additionalModelResponseFieldPaths: expect.anything() });

    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };
    const structured = encode({ maxOutputTokens: 64, turns: [user(text('Extract the city name.'))], responseFormat: { kind: 'json-schema', name: 'city_schema', description: 'Structured city extraction', schema } }, { model: 'openai.gpt-oss-120b-1:0' }).body;
    expect(structured).toEqual(golden('responses/structured-output'));
  });

  it('say the same as ours for tools and their results', () => {
    const { toolConfig } = golden('messages/tools');
    const spec = toolConfig?.tools[0]?.['toolSpec'] as { description: string; inputSchema: { json: Json } };
    expect(encode({ tools: [{ ...weather, description: spec.description, parameters: spec.inputSchema.json }] }).body.toolConfig).toEqual(toolConfig);

    const turns = [
      user(text('How is the weather in Columbus and New York?')),
      { role: 'assistant', content: [call('call_1', '{"location":"Columbus, OH"}', 'get_weather'), call('call_2', '{"location":"New York, NY"}', 'get_weather')] },
      { role: 'tool', content: [result('call_1', { content: [text('{ "temperature": 15, "condition": "Cloudy" }')] }), result('call_2', { content: [text('{ "temperature": 22, "condition": "Sunny" }')] })] },
    ] as const;
    const messages = JSON.stringify(golden('completions/parallel-tool-call').messages).replaceAll(',"status":null', '');
    expect(encode({ turns, tools: [weather] }).body.messages).toEqual(JSON.parse(messages));
  });

  it('have the body the vendor’s own client sends, but for what the model would refuse', () => {
    const theirs = loadCaptures('client-captures/vendor-sdk-upstream-requests.json').find(({ request }) => request?.url.includes('bedrock'))?.request;
    const schema = { type: 'object', properties: { city: { type: 'string' }, n: { type: ['integer', 'null'] } }, required: ['city'], additionalProperties: false };
    const { body, path } = encode(
      {
        turns: [
          { role: 'system', content: [text('Be brief.')] },
          user(text('Look'), { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } }, { type: 'document', filename: 'a.pdf', source: { kind: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' } }),
          { role: 'assistant', content: [text('calling'), call('call_1', '{"city":"Paris"}', 'get_weather'), call('call_2', '{"city":"Rome"}', 'get_weather')] },
          { role: 'tool', content: [result('call_1', { content: [text('sunny')] }), result('call_2', { content: [text('boom')] })] },
          user(text('and?')),
        ],
        maxOutputTokens: 50,
        temperature: 0.5,
        topP: 0.9,
        stop: ['X'],
        tools: [{ ...weather, description: 'w', parameters: schema }],
        toolChoice: { kind: 'tool', name: 'get_weather' },
      },
      { model: 'anthropic.claude-sonnet-4-5-20250929-v1:0' },
    );
    const expected = theirs?.body as Body & { inferenceConfig: Json };

    expect(theirs?.url).toContain(path);
    expect(body).toEqual({ ...expected, inferenceConfig: { ...expected.inferenceConfig, topP: undefined }, additionalModelResponseFieldPaths: ['/stop_sequence', '/delta/stop_sequence'] });
  });
});
