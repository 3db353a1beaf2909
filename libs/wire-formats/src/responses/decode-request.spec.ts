import type { GatewayError } from '@weir/errors';
import { responsesFormat } from '.';

const decode = (body: Record<string, unknown>) => responsesFormat.decodeRequest(body);
const base = { model: 'm', input: 'hi' };
const HI = { role: 'user', content: [{ type: 'text', text: 'hi' }] };
const given = (...input: unknown[]) => ({ model: 'm', input });
const part = (...content: unknown[]) => given({ role: 'user', content });

it('makes one assistant turn of what the model did in one go, and one tool turn of the results', () => {
  const { turns } = decode(
    given(
      { role: 'user', content: 'hi' },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [
          { type: 'summary_text', text: 'a' },
          { type: 'summary_text', text: 'b' },
        ],
        encrypted_content: 'e',
      },
      { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', arguments: '{ "a":1.0 }' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'g', input: 'free' },
      { type: 'function_call_output', call_id: 'c1', output: 'o' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_image', image_url: 'https://x.org/a' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_refusal', refusal: 'no' }] },
    ),
  );
  expect(turns).toEqual([
    HI,
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'a\n\nb', isSummary: true, state: { family: 'responses', kind: 'encrypted', value: 'e' } },
        { type: 'tool-call', id: 'c1', name: 'f', kind: 'function', argumentsText: '{ "a":1.0 }' },
        { type: 'tool-call', id: 'c2', name: 'g', kind: 'custom', argumentsText: 'free' },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c1', content: [{ type: 'text', text: 'o' }] },
        {
          type: 'tool-result',
          toolCallId: 'c2',
          content: [{ type: 'image', source: { kind: 'url', url: 'https://x.org/a', field: 'input[5].output[0].image_url' } }],
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'refusal', text: 'no' }] },
  ]);
});

it('puts instructions first', () => {
  expect(decode({ ...base, instructions: 'be kind' }).turns).toEqual([
    { role: 'system', content: [{ type: 'text', text: 'be kind' }] },
    HI,
  ]);
});

it.each([
  [
    { type: 'input_file', filename: 'a.pdf', file_data: 'https://x.org/a' },
    { type: 'document', source: { kind: 'url', url: 'https://x.org/a', field: 'input[0].content[0].file_data' }, filename: 'a.pdf' },
  ],
  [
    { type: 'input_file', file_url: 'https://x.org/a.pdf' },
    { type: 'document', source: { kind: 'url', url: 'https://x.org/a.pdf', field: 'input[0].content[0].file_url' } },
  ],
  [
    { type: 'input_file', file_data: 'data:image/png;base64,AAAA', cache_control: { type: 'ephemeral' } },
    { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA', field: 'input[0].content[0].file_data' }, cache: {} },
  ],
  [
    { type: 'input_image', file_id: 'file-1' },
    { type: 'image', source: { kind: 'file', fileId: 'file-1', field: 'input[0].content[0].file_id' } },
  ],
  [
    {
      type: 'output_text',
      text: 't',
      annotations: [{ type: 'url_citation', url: 'u', title: 'T', start_index: 0, end_index: 1 }, { type: 'file_path' }],
    },
    {
      type: 'text',
      text: 't',
      citations: [{ url: 'u', title: 'T', start: 0, end: 1 }, { original: { family: 'responses', raw: { type: 'file_path' } } }],
    },
  ],
])('decodes the part %j', (value, block) => {
  expect(decode(part(value)).turns[0]?.content).toEqual([block]);
});

describe('parameters', () => {
  it.each([
    [{ max_output_tokens: 20, store: false, truncation: 'disabled' }, { maxOutputTokens: 20 }],
    [
      { text: { format: { type: 'json_schema', name: 'n', schema: { a: 1 }, strict: true } } },
      { responseFormat: { kind: 'json-schema', name: 'n', schema: { a: 1 }, isStrict: true } },
    ],
    [{ text: { format: { type: 'json_object' }, verbosity: 'low' } }, { responseFormat: { kind: 'json' }, verbosity: 'low' }],
    [
      { reasoning: { effort: 'low', summary: 'auto' }, include: ['reasoning.encrypted_content'] },
      { reasoning: { effort: 'low', summary: 'auto', wantsState: true } },
    ],
    [
      { tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }] } },
      { toolChoice: { kind: 'allowed', mode: 'required', names: ['f'] } },
    ],
    [
      { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'web_search_preview' }, { type: 'function', name: 'f' }] } },
      { toolChoice: { kind: 'allowed', mode: 'auto', names: ['f'], hasSearch: true } },
    ],
    [
      { tools: [{ type: 'mcp', server_label: 's' }] },
      { tools: [{ kind: 'hosted', family: 'responses', type: 'mcp', raw: { type: 'mcp', server_label: 's' } }] },
    ],
    [{ store: true, client_metadata: { a: 1 } }, { unmapped: { store: true } }],
    [
      { user: 'u', safety_identifier: 's' },
      { endUserId: 's', unmapped: { user: 'u' } },
    ],
    [
      { tools: [{ type: 'web_search', external_web_access: false }] },
      { tools: [{ kind: 'web-search' }], unmapped: { 'tools.external_web_access': false } },
    ],
  ])('%j', (fields, expected) => {
    expect(decode({ ...base, ...fields })).toEqual({ model: 'm', stream: false, turns: [HI], ...expected });
  });
});

describe('namespaces', () => {
  const long = 'a'.repeat(70);
  const tools = [
    {
      type: 'namespace',
      name: 'ns',
      tools: [
        { type: 'function', name: 'f' },
        { type: 'function', name: long, strict: false },
      ],
    },
  ];

  it('become flat names of at most 64 characters, the same in tools, choice and history', () => {
    const request = decode({
      ...given({ type: 'function_call', call_id: 'c', namespace: 'ns', name: long, arguments: '{}' }),
      tools,
      tool_choice: { type: 'function', namespace: 'ns', name: 'f' },
    });
    const names = request.tools?.map((tool) => ('name' in tool ? tool.name : '')) ?? [];
    expect(names[0]).toBe('ns__f');
    expect(names[1]).toMatch(/^ns__a+_[0-9a-f]{8}$/);
    expect(names[1]).toHaveLength(64);
    expect(request.toolChoice).toEqual({ kind: 'tool', name: 'ns__f' });
    expect(request.turns[0]?.content[0]).toMatchObject({ name: names[1] });
  });

  it('come back in replies, streamed or not', () => {
    const usage = {
      inputUncached: 0,
      cacheRead: 0,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 0,
      reasoning: 0,
      audioInput: 0,
      audioOutput: 0,
      searches: 0,
      source: 'provider',
    } as const;
    const context = { requestId: 'r', modelId: 'm', asked: decode(base), body: { ...base, tools }, nowMs: 0 };
    const call = { type: 'tool-call', id: 'c', name: 'ns__f', kind: 'function', argumentsText: '{}' } as const;
    const reply = {
      id: '',
      model: 'm',
      createdAtSeconds: 1,
      usage,
      choices: [{ index: 0, content: [call], finish: { unified: 'tool-calls', upstream: null } as const }],
    };
    for (const body of [
      { ...base, tools },
      { ...base, input: [{ type: 'additional_tools', role: 'developer', tools }] },
    ]) {
      const text = responsesFormat.encodeReply(reply, { usage, costUsd: '0' }, { ...context, body });
      expect(JSON.parse(text)).toMatchObject({ output: [{ type: 'function_call', namespace: 'ns', name: 'f', call_id: 'c' }] });
      const encoder = responsesFormat.createStreamEncoder({ ...context, body });
      encoder.encode({ type: 'start', id: '', model: 'm', createdAtSeconds: 1 });
      const started = encoder.encode({ type: 'tool-call-start', choice: 0, block: 0, id: 'c', name: 'ns__f', kind: 'function' });
      expect(started).toContain('"name":"f","namespace":"ns"');
    }
    const body = { ...base, tools: [{ type: 'tool_search', execution: 'client' }] };
    const asked = { ...call, name: 'tool_search', argumentsText: '{"query":"q"}' };
    const search = { type: 'tool_search_call', execution: 'client', call_id: 'c', status: 'completed', arguments: { query: 'q' } };
    const choices = [{ ...reply.choices[0], index: 0, content: [asked], finish: { unified: 'tool-calls', upstream: null } as const }];
    const text = responsesFormat.encodeReply({ ...reply, choices }, { usage, costUsd: '0' }, { ...context, body });
    expect(JSON.parse(text)).toMatchObject({ output: [search] });
    const encoder = responsesFormat.createStreamEncoder({ ...context, body });
    const at = { choice: 0, block: 0 };
    encoder.encode({ type: 'start', id: '', model: 'm', createdAtSeconds: 1 });
    const events = [
      { type: 'tool-call-start', ...at, id: 'c', name: 'tool_search', kind: 'function' } as const,
      { type: 'tool-call-delta', ...at, argumentsText: '{"query":"q"}' } as const,
      { type: 'tool-call-end', ...at } as const,
      { type: 'finish', choice: 0, finish: { unified: 'tool-calls', upstream: null } } as const,
      { type: 'usage', usage } as const,
      { type: 'end' } as const,
    ].map((event) => encoder.encode(event, { usage, costUsd: '0' }));
    const frames = events
      .flatMap((written) => [...written.matchAll(/^data: (.*)$/gm)])
      .map(([, data = '']) => JSON.parse(data) as { type: string; item?: unknown });
    expect(frames.map(({ type }) => type)).toEqual(['response.output_item.added', 'response.output_item.done', 'response.completed']);
    expect(frames[1]?.item).toMatchObject(search);
  });
});

describe('tools that are brought along or searched for', () => {
  const f = { type: 'function', name: 'f' };
  const brought = { type: 'additional_tools', role: 'developer', tools: [{ type: 'namespace', name: 'ns', tools: [f] }] };

  it('are offered beside those of the list, and leave no turn', () => {
    const request = decode({ ...given(brought, { role: 'user', content: 'hi' }), tools: [{ type: 'custom', name: 'c' }] });
    expect(request.tools).toEqual([
      { kind: 'custom', name: 'c' },
      { kind: 'function', name: 'ns__f' },
    ]);
    expect(request.turns).toEqual([HI]);
  });

  it('are all offered where a provider would have to search for them; that it does not is reported', () => {
    const searched = { type: 'tool_search_output', execution: 'server', call_id: null, tools: [{ ...f, description: 'found' }] };
    const request = decode({
      ...given({ type: 'tool_search_call', execution: 'server', call_id: null, arguments: {} }, searched, { role: 'user', content: 'hi' }),
      tools: [{ type: 'tool_search' }, { type: 'namespace', name: 'ns', tools: [{ ...f, defer_loading: true }] }, f],
    });
    expect(request.tools).toEqual([
      { kind: 'function', name: 'ns__f' },
      { kind: 'function', name: 'f', description: 'found' },
    ]);
    expect(request.turns).toEqual([HI]);
    expect(request.unmapped).toEqual({ 'tools.tool_search': true, 'tools.defer_loading': true });
  });

  it('are searched for by a function where the caller makes the search', () => {
    const search = { type: 'tool_search', execution: 'client', description: 'd', parameters: { type: 'object' } };
    const request = decode({
      ...given(
        { type: 'tool_search_call', execution: 'client', call_id: 'c1', arguments: { query: 'q' } },
        { type: 'tool_search_output', execution: 'client', call_id: 'c1', tools: [f] },
      ),
      tools: [search],
    });
    expect(request.tools).toEqual([
      { kind: 'function', name: 'tool_search', description: 'd', parameters: { type: 'object' } },
      { kind: 'function', name: 'f' },
    ]);
    expect(request.turns).toEqual([
      {
        role: 'assistant',
        content: [{ type: 'tool-call', id: 'c1', name: 'tool_search', kind: 'function', argumentsText: '{"query":"q"}' }],
      },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', content: [{ type: 'text', text: '{"tools":["f"]}' }] }] },
    ]);
    expect(request.unmapped).toBeUndefined();
  });

  it.each([
    [{ ...brought, tools: undefined }, 'input[0].tools', 'is required'],
    [{ ...brought, tools: [{ type: 'teleport' }] }, 'input[0].tools[0].type', '"teleport"'],
    [{ type: 'tool_search_output', execution: 'client', tools: [] }, 'input[0].call_id', 'is required'],
  ])('%j → %s', (item, field, words) => {
    expect(() => decode(given(item))).toThrow(
      expect.objectContaining({ message: expect.stringContaining(words) as string, details: { field } }) as GatewayError,
    );
  });
});

describe('bad input is refused in the words of the dialect', () => {
  it.each([
    [{ input: 'hi' }, 'model', 'is required'],
    [{ model: 'm' }, 'input', 'is required'],
    [given(), 'input', 'at least one'],
    [{ ...base, previous_response_id: 'resp_1' }, 'previous_response_id', 'send the whole conversation'],
    [{ ...base, conversation: 'c' }, 'conversation', 'not stored'],
    [{ ...base, prompt: { id: 'p' } }, 'prompt', 'not stored'],
    [{ ...base, background: true }, 'background', 'must be false'],
    [{ ...base, max_output_tokens: 0 }, 'max_output_tokens', 'at least 1'],
    [{ ...base, text: { format: { type: 'xml' } } }, 'text.format.type', 'must be'],
    [{ ...base, reasoning: { effort: 'huge' } }, 'reasoning.effort', 'must be one of'],
    [{ ...base, reasoning: { summary: 'long' } }, 'reasoning.summary', 'must be'],
    [{ ...base, tools: [{ type: 'teleport' }] }, 'tools[0].type', '"teleport"'],
    [{ ...base, tools: [{ type: 'function', function: { name: 'f' } }] }, 'tools[0].name', 'is required'],
    [{ ...base, tools: [{ type: 'namespace', name: 'ns', tools: [{ type: 'mcp' }] }] }, 'tools[0].tools[0].type', 'must be'],
    [{ ...base, tool_choice: { type: 'mcp' } }, 'tool_choice.type', '"mcp"'],
    [given({ type: 'item_reference', id: 'x' }), 'input[0]', 'refers to a stored item'],
    [given({ id: 'x' }), 'input[0]', 'refers to a stored item'],
    [given({ type: 'hologram' }), 'input[0].type', '"hologram"'],
    [given({ role: 'robot', content: 'x' }), 'input[0].role', 'must be'],
    [given({ type: 'function_call', call_id: 'c', name: 'f' }), 'input[0].arguments', 'is required'],
    [given({ type: 'function_call_output', output: 'x' }), 'input[0].call_id', 'is required'],
    [part({ type: 'input_image', image_url: { url: 'x' } }), 'input[0].content[0].image_url', 'must be a string'],
    [part({ type: 'image_url' }), 'input[0].content[0].type', '"image_url"'],
  ])('%j → %s', (body, field, words) => {
    expect(() => decode(body as Record<string, unknown>)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: expect.stringContaining(words) as string,
        details: { field },
      }) as GatewayError,
    );
  });
});

it('reports what it has no word for inside members it knows', () => {
  const { unmapped } = decode({
    ...base,
    reasoning: { effort: 'low', context: 'all_turns', mode: 'standard' },
    tools: [{ type: 'function', name: 'f', parameters: {}, strict: true, defer_loading: true }],
  });

  expect(unmapped).toEqual({ 'reasoning.context': 'all_turns', 'tools.defer_loading': true });
});
