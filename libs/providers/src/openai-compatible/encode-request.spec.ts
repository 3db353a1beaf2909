import { createLossReport, type ChatRequest } from '@weir/canonical';
import { buildRequest, buildTarget } from '../__fixtures__/build-target';
import type { ModelFacts } from '../provider/target';
import { compatibleProvider } from './rules/compatible-provider.schema';
import { createEncodeRequest } from './encode-request';

type Encoded = { body: Record<string, unknown>; dropped: string[]; approximated: string[] };

const SEARCHES = { supportsWebSearch: true };

function encode(request: Partial<ChatRequest>, knobs: object = {}, facts: Partial<ModelFacts> = {}): Encoded {
  const provider = compatibleProvider.parse({
    id: 'acme',
    name: 'Acme',
    baseUrl: 'https://acme.example/v1',
    env: { apiKey: [], baseUrl: [] },
    endpoints: { chat: '/chat/completions' },
    ...knobs,
  });
  const losses = createLossReport();
  const call = createEncodeRequest(provider)(buildRequest(request), buildTarget('some-model', facts), losses);
  return { body: JSON.parse(call.body) as Record<string, unknown>, dropped: [...losses.dropped], approximated: [...losses.approximated] };
}

const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] });

describe('encodeRequest of a compatible provider', () => {
  it('writes the parameters in the words of chat completions and asks streams for usage', () => {
    const { body, dropped } = encode({
      stream: true,
      maxOutputTokens: 9,
      temperature: 0.5,
      topP: 0.9,
      stop: ['x'],
      seed: 1,
      choices: 2,
      topLogprobs: 3,
      endUserId: 'u',
    });

    expect(body).toEqual({
      model: 'some-model',
      messages: [{ role: 'user', content: 'hi' }],
      max_completion_tokens: 9,
      temperature: 0.5,
      top_p: 0.9,
      stop: ['x'],
      seed: 1,
      n: 2,
      logprobs: true,
      top_logprobs: 3,
      user: 'u',
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(dropped).toEqual([]);
  });

  it('makes no message of a turn of which nothing goes on', () => {
    const foreign = { type: 'opaque' as const, family: 'responses', raw: { type: 'mcp_list_tools' } };
    const hi = { role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] };
    const { body, dropped } = encode({ turns: [{ role: 'assistant', content: [foreign] }, hi] });

    expect(body['messages']).toEqual([{ role: 'user', content: 'hi' }]);
    expect(dropped).toEqual(['messages.opaque']);
  });

  it('applies the entry’s rules and reports what they drop', () => {
    const { body, dropped } = encode(
      { seed: 1, logitBias: { a: 1 }, topK: 4, unmapped: { odd: 1 } },
      { renameParams: { seed: 'random_seed' }, dropParams: ['logit_bias'] },
    );

    expect(body).toMatchObject({ random_seed: 1 });
    expect(body).not.toHaveProperty('logit_bias');
    expect(dropped.sort()).toEqual(['logit_bias', 'odd', 'top_k']);
  });

  it('sends tool results as tool messages and their images in a user message behind them', () => {
    const { body, approximated } = encode({
      turns: [
        user('look'),
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', id: 'a', name: 'f', kind: 'function', argumentsText: '' },
            { type: 'tool-call', id: 'b', name: 'g', kind: 'function', argumentsText: '{"x": 1.0}' },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'a',
              content: [
                { type: 'text', text: 'see' },
                { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA' } },
              ],
            },
            { type: 'tool-result', toolCallId: 'b', content: [{ type: 'text', text: 'two' }] },
          ],
        },
      ],
    });

    expect(body['messages']).toEqual([
      { role: 'user', content: 'look' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
          { id: 'b', type: 'function', function: { name: 'g', arguments: '{"x": 1.0}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'see\n[image]' },
      { role: 'tool', tool_call_id: 'b', content: 'two' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Part of the result of a:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
        ],
      },
    ]);
    expect(approximated).toEqual(['messages.tool_result']);
  });

  it('gives reasoning back where the entry says, also an empty one where tool turns need it', () => {
    const turns = [
      user('q'),
      {
        role: 'assistant' as const,
        content: [
          { type: 'reasoning' as const, text: 'hm' },
          { type: 'text' as const, text: 'a' },
        ],
      },
      {
        role: 'assistant' as const,
        content: [{ type: 'tool-call' as const, id: 'a', name: 'f', kind: 'function' as const, argumentsText: '{}' }],
      },
    ];

    expect(encode({ turns }, { reasoningField: 'reasoning_content', needsReasoningOnToolTurns: true }).body['messages']).toMatchObject([
      {},
      { content: 'a', reasoning_content: 'hm' },
      { reasoning_content: '' },
    ]);
    const without = encode({ turns });
    expect(JSON.stringify(without.body)).not.toContain('hm');
    expect(without.dropped).toEqual(['messages.reasoning']);
  });

  it('makes tool call ids of nine characters, the same for call and result, and names the results', () => {
    const { body } = encode(
      {
        turns: [
          user('q'),
          { role: 'assistant', content: [{ type: 'tool-call', id: 'toolu_012345', name: 'f', kind: 'function', argumentsText: '{}' }] },
          { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'toolu_012345', content: [{ type: 'text', text: 'r' }] }] },
        ],
      },
      { toolCallIds: 'nine-alphanumerics', namesToolResults: true },
    );
    const [, call, result] = body['messages'] as { tool_calls?: { id: string }[]; tool_call_id?: string; name?: string }[];

    expect(call?.tool_calls?.[0]?.id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(result).toMatchObject({ tool_call_id: call?.tool_calls?.[0]?.id, name: 'f' });
  });

  it('offers free-form tools as functions where the provider has none, and says so', () => {
    const tools = [{ kind: 'custom' as const, name: 'run', description: 'Runs.' }];
    const { body, approximated } = encode({ tools });

    expect(body['tools']).toMatchObject([{ type: 'function', function: { name: 'run', parameters: { required: ['input'] } } }]);
    expect(approximated).toEqual(['tools']);
    expect(encode({ tools }, { hasCustomTools: true }).body['tools']).toEqual([
      { type: 'custom', custom: { name: 'run', description: 'Runs.' } },
    ]);
  });

  it('leaves tools out that are not allowed, where the provider has no word for that', () => {
    const tools = [
      { kind: 'function' as const, name: 'a' },
      { kind: 'function' as const, name: 'b' },
    ];
    const toolChoice = { kind: 'allowed' as const, mode: 'required' as const, names: ['b'] };

    expect(encode({ tools, toolChoice }).body).toMatchObject({ tools: [{ function: { name: 'b' } }], tool_choice: 'required' });
    expect(encode({ tools, toolChoice }, { hasAllowedTools: true }).body).toMatchObject({
      tools: [{}, {}],
      tool_choice: { type: 'allowed_tools' },
    });
  });

  it('searches only where the choice of tools leaves that open', () => {
    const tools: ChatRequest['tools'] = [{ kind: 'web-search' }, { kind: 'function', name: 'a' }];
    const bodyOf = (toolChoice: NonNullable<ChatRequest['toolChoice']>) =>
      encode({ tools, toolChoice }, { webSearch: 'plugin' }, SEARCHES).body;
    const allowed = { kind: 'allowed', mode: 'auto', names: ['a'] } as const;

    expect(bodyOf({ kind: 'none' })).not.toHaveProperty('plugins');
    expect(bodyOf(allowed)).not.toHaveProperty('plugins');
    expect(bodyOf({ kind: 'tool', name: 'a' })).not.toHaveProperty('plugins');
    expect(bodyOf({ ...allowed, hasSearch: true })).toHaveProperty('plugins');
    expect(bodyOf({ kind: 'required' })).toHaveProperty('plugins');
    const search = { ...allowed, names: [], hasSearch: true } as const;
    const knobs = { webSearch: 'plugin', hasAllowedTools: true };
    expect(encode({ tools, toolChoice: search }, knobs, SEARCHES).body).toMatchObject({ tool_choice: 'none' });
  });

  it.each([
    ['effort', { reasoning_effort: 'high' }],
    ['thinking', { thinking: { type: 'enabled' } }],
    ['enable-thinking', { enable_thinking: true }],
    ['reasoning-object', { reasoning: { effort: 'high' } }],
  ])('asks for reasoning by %s', (reasoningParam, expected) => {
    expect(encode({ reasoning: { effort: 'high' } }, { reasoningParam }, { supportsReasoning: true }).body).toMatchObject(expected);
  });

  it('drops reasoning for a model that has none, and sampling for one that refuses it, with a report', () => {
    expect(encode({ reasoning: { effort: 'high' } }).dropped).toEqual(['reasoning_effort']);
    const refusing = encode({ temperature: 0.2 }, { refusesSampling: 'while-reasoning' }, { supportsReasoning: true });
    expect(refusing.body).not.toHaveProperty('temperature');
    expect(refusing.dropped).toEqual(['temperature']);
  });

  it('refuses what it cannot say: schemas the model does not know, foreign tools, files by id, video', () => {
    const refused = expect.objectContaining({ code: 'unsupported_field' });
    const asking = (source: object) => ({ turns: [{ role: 'user' as const, content: [source as never] }] });

    expect(() => encode({ responseFormat: { kind: 'json-schema', schema: {} } }, {}, { supportsJsonSchema: false })).toThrow(refused);
    expect(() => encode({ tools: [{ kind: 'hosted', family: 'messages', type: 'bash_20250124', raw: {} }] })).toThrow(refused);
    expect(() => encode({ tools: [{ kind: 'web-search' }] })).toThrow(refused);
    expect(() => encode(asking({ type: 'image', source: { kind: 'file', fileId: 'f' } }))).toThrow(refused);
    expect(() => encode(asking({ type: 'video', source: { kind: 'url', url: 'https://a/b.mp4' } }))).toThrow(refused);
  });

  it('reports cache marks as lost and sends plain text documents as text', () => {
    const { body, dropped } = encode({
      turns: [
        {
          role: 'user',
          content: [{ type: 'document', filename: 'a.txt', source: { kind: 'text', mediaType: 'text/plain', text: 'body' }, cache: {} }],
        },
      ],
    });

    expect(body['messages']).toEqual([{ role: 'user', content: 'a.txt\nbody' }]);
    expect(dropped).toEqual(['cache_control']);
  });

  it('sends the nearest effort a provider knows, and says so', () => {
    const knobs = { efforts: ['none', 'high'] };
    const facts = { supportsReasoning: true };

    expect(encode({ reasoning: { effort: 'medium' } }, knobs, facts)).toMatchObject({
      body: { reasoning_effort: 'high' },
      approximated: ['reasoning_effort'],
    });
    expect(encode({ reasoning: { effort: 'none' } }, knobs, facts)).toMatchObject({ body: { reasoning_effort: 'none' }, approximated: [] });
    expect(encode({ serviceTier: 'standard_only' }).body).toMatchObject({ service_tier: 'default' });
  });
});

it('names free-form tools as such where only some tools may be called', () => {
  const tools: ChatRequest['tools'] = [
    { kind: 'custom', name: 'sh' },
    { kind: 'function', name: 'f' },
  ];
  const toolChoice = { kind: 'allowed' as const, mode: 'required' as const, names: ['sh', 'f'] };
  const { body } = encode({ tools, toolChoice }, { hasCustomTools: true, hasAllowedTools: true });

  expect(body['tool_choice']).toEqual({
    type: 'allowed_tools',
    allowed_tools: {
      mode: 'required',
      tools: [
        { type: 'custom', custom: { name: 'sh' } },
        { type: 'function', function: { name: 'f' } },
      ],
    },
  });
});

it('names a call with too long an id the same in its result, and in the state that belongs to it', () => {
  const id = `tool_0_${'a'.repeat(40)}`;
  const value = JSON.stringify([
    { type: 'reasoning.encrypted', id, data: 's' },
    { type: 'reasoning.text', id: 'r'.repeat(50) },
  ]);
  const turns: ChatRequest['turns'] = [
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: '', state: { family: 'acme', kind: 'signature', value } },
        { type: 'tool-call', id, name: 'f', kind: 'function', argumentsText: '' },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, content: [] }] },
  ];
  const { body } = encode({ turns }, { toolCallIds: 'forty-characters', hasReasoningDetails: true });
  const [answer, result] = body['messages'] as Record<string, unknown>[];

  expect(result?.['tool_call_id']).toMatch(/^call_[0-9a-f]{32}$/);
  expect(answer).toMatchObject({
    reasoning_details: [{ id: result?.['tool_call_id'], data: 's' }, { id: 'r'.repeat(50) }],
    tool_calls: [{ id: result?.['tool_call_id'] }],
  });
});

it('keeps the names of those who speak', () => {
  const turns: ChatRequest['turns'] = [
    { ...user('a'), name: 'bob' },
    { role: 'assistant', content: [{ type: 'text', text: 'b' }], name: 'eve' },
  ];

  expect(encode({ turns }).body['messages']).toMatchObject([{ name: 'bob' }, { name: 'eve', content: 'b' }]);
});

it('reports the settings of a search that its way to search cannot encode', () => {
  const tools: ChatRequest['tools'] = [{ kind: 'web-search', usesMax: 2, contextSize: 'low', userLocation: { country: 'DE' } }];

  expect(encode({ tools }, { webSearch: 'plugin' }, SEARCHES).dropped).toEqual(['max_uses', 'user_location', 'search_context_size']);
});

it('hashes the name of an end user that is too long for the vendor', () => {
  expect(encode({ endUserId: 'u'.repeat(64) })).toMatchObject({ body: { user: 'u'.repeat(64) }, approximated: [] });
  const { body, approximated } = encode({ endUserId: 'u'.repeat(65) });

  expect(body['user']).toMatch(/^[0-9a-f]{64}$/);
  expect(approximated).toEqual(['user']);
});

it('reports a result’s error mark as lost', () => {
  const turns: ChatRequest['turns'] = [
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', content: [{ type: 'text', text: 'r' }], isError: true }] },
  ];
  expect(encode({ turns })).toMatchObject({
    body: { messages: [{ role: 'tool', tool_call_id: 'c1', content: 'r' }] },
    dropped: ['messages.is_error'],
  });
});

it('reports the sources of earlier replies as lost', () => {
  const turnsWith = (citations: readonly { url: string }[]): ChatRequest['turns'] => [
    { role: 'assistant', content: [{ type: 'text', text: 'a', citations }] },
  ];
  expect(encode({ turns: turnsWith([{ url: 'https://a.example' }]) }).dropped).toEqual(['messages.citations']);
  expect(encode({ turns: turnsWith([]) }).dropped).toEqual([]);
});
