import type { ChatRequest, ContentBlock } from '@weir/canonical';
import { CLAUDE, NOVA, encode, text, tools, user, type Json, type Options } from './__fixtures__/encode-for-converse';

const refused = expect.objectContaining({ code: 'unsupported_field' });

describe('tools for Converse', () => {
  it('offers functions, and free-form tools as functions of one string', () => {
    const { body, notes, approximated } = encode({
      tools: [
        { kind: 'function', name: 'f', description: ' ', isStrict: true, cache: {} },
        { kind: 'custom', name: 'run' },
      ],
    });

    expect(body.toolConfig?.tools).toEqual([
      { toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } }, strict: true } },
      { cachePoint: { type: 'default' } },
      {
        toolSpec: {
          name: 'run',
          inputSchema: { json: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] } },
        },
      },
    ]);
    expect(notes.customTools).toEqual(new Set(['run']));
    expect(approximated).toEqual(['tools']);
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
    expect(
      encode({ tools: [{ kind: 'hosted', family: 'converse', type: 'x', raw: { systemTool: { name: 'x' } } }] }).body.toolConfig?.tools,
    ).toEqual([{ systemTool: { name: 'x' } }]);
  });
});

describe('the fields of the model’s maker', () => {
  const fields = (request: Partial<ChatRequest>, options?: Options): unknown =>
    encode(request, options).body['additionalModelRequestFields'];
  const config = (request: Partial<ChatRequest>, options?: Options): unknown => encode(request, options).body['inferenceConfig'];

  it('samples within what the model takes', () => {
    expect(config({ temperature: 1.5, stop: ['a', ' '], maxOutputTokens: 7 })).toEqual({
      maxTokens: 7,
      temperature: 1,
      stopSequences: ['a'],
    });
    expect(encode({ temperature: 0.5, topP: 0.9 })).toMatchObject({ body: { inferenceConfig: { temperature: 0.5 } }, dropped: ['top_p'] });
    expect(encode({ temperature: 0.5, topK: 5 }, { model: 'eu.anthropic.claude-opus-4-8' })).toMatchObject({
      dropped: ['temperature', 'top_k'],
    });
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
    [CLAUDE, { effort: 'low' }, { thinking: { type: 'enabled', budget_tokens: 2000 } }],
    [CLAUDE, { effort: 'none' }, { thinking: { type: 'disabled' } }],
    ['us.anthropic.claude-opus-4-6-v1', { effort: 'high' }, { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
    ['openai.gpt-oss-120b-1:0', { effort: 'none' }, { reasoning_effort: 'low' }],
    ['openai.gpt-5.5', { effort: 'none' }, { reasoning_effort: 'none' }],
    ['us.amazon.nova-2-lite-v1:0', { effort: 'max' }, { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' } }],
    ['us.amazon.nova-2-lite-v1:0', { mode: 'disabled' }, { reasoningConfig: { type: 'disabled' } }],
    ['us.deepseek.r1-v1:0', { effort: 'low' }, undefined],
  ] as [string, ChatRequest['reasoning'] & object, Json | undefined][])('asks %s to reason %j', (model, reasoning, expected) => {
    expect(fields({ reasoning }, { model })).toEqual(expected);
  });

  it('bounds an answer with a budget to think, refuses to sample, and refuses forced calls', () => {
    const reasoning = { effort: 'low' } as const;

    expect(encode({ reasoning, temperature: 0.3 })).toMatchObject({
      body: { inferenceConfig: { maxTokens: 4000 } },
      dropped: ['temperature'],
    });
    expect(() => encode({ reasoning, tools, toolChoice: { kind: 'required' } })).toThrow(refused);
    expect(encode({ reasoning: { effort: 'low' } }, { facts: { supportsReasoning: false } }).dropped).toEqual(['reasoning_effort']);
  });

  it('sends reasoning back to who issued it only', () => {
    const reason = (family: string, kind: 'signature' | 'redacted') =>
      ({ type: 'reasoning', text: 'hm', state: { family, kind, value: 'si' } }) as const;
    const sent = (block: ContentBlock, model = CLAUDE): unknown =>
      encode({ turns: [user(text('q')), { role: 'assistant', content: [block, text('a')] }] }, { model }).body.messages[1]?.content;

    expect(sent(reason('converse', 'signature'))).toEqual([
      { reasoningContent: { reasoningText: { text: 'hm', signature: 'si' } } },
      { text: 'a' },
    ]);
    expect(sent(reason('converse', 'redacted'))).toEqual([{ reasoningContent: { redactedContent: 'si' } }, { text: 'a' }]);
    expect(sent(reason('messages', 'redacted'))).toEqual([{ reasoningContent: { redactedContent: 'c2k=' } }, { text: 'a' }]);
    for (const other of [
      sent(reason('google', 'signature')),
      sent(reason('messages', 'signature'), NOVA),
      sent({ type: 'reasoning', text: 'unsigned' }),
    ])
      expect(other).toEqual([{ text: 'a' }]);
  });

  it('caches where the model can', () => {
    const turns = [user(text('a', { cache: { ttl: '1h' } }))];

    expect(encode({ turns, autoCache: {} }).body.messages[0]?.content).toEqual([
      { text: 'a' },
      { cachePoint: { type: 'default', ttl: '1h' } },
    ]);
    expect(encode({ autoCache: {} }, { model: NOVA }).body.messages[0]?.content).toEqual([
      { text: 'hi' },
      { cachePoint: { type: 'default' } },
    ]);
    expect(encode({ turns }, { model: NOVA })).toMatchObject({
      body: { messages: [{ content: [{ text: 'a' }, { cachePoint: { type: 'default' } }] }] },
      approximated: ['cache_control'],
    });
    expect(encode({ turns }, { model: 'us.meta.llama4-scout-17b-instruct-v1:0' })).toMatchObject({
      body: { messages: [{ content: [{ text: 'a' }] }] },
      dropped: ['cache_control'],
    });
  });
});

describe('structured output of Converse', () => {
  const responseFormat = { kind: 'json-schema', name: 'city', schema: { type: 'object', properties: { a: { type: 'string' } } } } as const;

  it('asks by schema where the model knows how', () => {
    const { body, notes } = encode({ responseFormat });

    expect(body['outputConfig']).toEqual({
      textFormat: { type: 'json_schema', structure: { jsonSchema: { name: 'city', schema: JSON.stringify(responseFormat.schema) } } },
    });
    expect(notes.hasAnswerTool).toBe(false);
  });

  it('asks for a forced call otherwise, and remembers it', () => {
    const { body, notes } = encode({ responseFormat }, { model: 'anthropic.claude-3-haiku-20240307-v1:0' });

    expect(body.toolConfig).toEqual({
      tools: [{ toolSpec: { name: 'json_output', description: expect.any(String), inputSchema: { json: responseFormat.schema } } }],
      toolChoice: { any: {} },
    });
    expect(body['outputConfig']).toBeUndefined();
    expect(notes.hasAnswerTool).toBe(true);
  });

  it('refuses where neither can be had, and hints where no schema was given', () => {
    expect(() => encode({ responseFormat }, { facts: { supportsJsonSchema: false } })).toThrow(refused);
    expect(() => encode({ responseFormat }, { model: 'us.meta.llama4-scout-17b-instruct-v1:0' })).toThrow(refused);
    expect(() => encode({ responseFormat, reasoning: { effort: 'low' } }, { model: 'anthropic.claude-sonnet-4-20250514-v1:0' })).toThrow(
      refused,
    );
    expect(encode({ responseFormat: { kind: 'json' } })).toMatchObject({
      body: { system: [{ text: expect.stringContaining('JSON') }] },
      approximated: ['response_format'],
    });
  });
});
