import { createLossReport, type ChatRequest } from '@weir/canonical';
import { buildRequest, buildTarget } from '../../__fixtures__/build-target';
import type { ModelFacts } from '../../provider/target';
import { encodeRequest } from './encode-request';

type Encoded = { path: string; body: Record<string, unknown>; dropped: string[]; approximated: string[] };

function encode(request: Partial<ChatRequest>, facts: Partial<ModelFacts> = {}): Encoded {
  const losses = createLossReport();
  const { path, body } = encodeRequest(buildRequest(request), { target: buildTarget('command-x', facts), losses });
  return {
    path,
    body: JSON.parse(body) as Record<string, unknown>,
    dropped: [...losses.dropped],
    approximated: [...losses.approximated],
  };
}

describe('encodeRequest of version 2', () => {
  it('says the parameters in the provider’s words', () => {
    const { path, body, dropped, approximated } = encode({
      stream: true,
      maxOutputTokens: 9,
      temperature: 0.5,
      topP: 0.4,
      topK: 3,
      stop: ['x'],
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
    });

    expect(path).toBe('/chat');
    expect(body).toEqual({
      model: 'command-x',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      max_tokens: 9,
      temperature: 0.5,
      p: 0.4,
      k: 3,
      seed: 7,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      stop_sequences: ['x'],
    });
    expect([dropped, approximated]).toEqual([[], []]);
  });

  it('makes no message of a turn of which nothing goes on', () => {
    const foreign = { type: 'opaque' as const, family: 'responses', raw: { type: 'mcp_list_tools' } };
    const hi = { role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] };
    const { body, dropped } = encode({ turns: [{ role: 'assistant', content: [foreign] }, hi] });

    expect(body['messages']).toEqual([{ role: 'user', content: 'hi' }]);
    expect(dropped).toEqual(['messages.opaque']);
  });

  it('keeps numbers within what the provider takes, and reports it', () => {
    const { body, approximated } = encode({ topP: 1, presencePenalty: -1, frequencyPenalty: 2, stop: ['1', '2', '3', '4', '5', '6'] });

    expect(body).toMatchObject({ p: 0.99, presence_penalty: 0, frequency_penalty: 1, stop_sequences: ['1', '2', '3', '4', '5'] });
    expect(approximated.sort()).toEqual(['frequency_penalty', 'presence_penalty', 'stop', 'top_p']);
  });

  it('reports the fields it cannot encode', () => {
    const { dropped } = encode({
      logitBias: { a: 1 },
      topLogprobs: 0,
      verbosity: 'low',
      endUserId: 'u',
      serviceTier: 'flex',
      cacheKey: 'k',
      autoCache: {},
      hasParallelTools: false,
      unmapped: { store: true },
      turns: [{ role: 'user', name: 'bo', content: [{ type: 'text', text: 'hi', cache: {} }] }],
    });

    expect(dropped.sort()).toEqual(
      'cache_control logit_bias logprobs messages.name parallel_tool_calls prompt_cache_key service_tier store user verbosity'.split(' '),
    );
    expect(() => encode({ choices: 2 })).toThrow('More than one choice');
  });

  it('writes images, documents, calls with their plan, and one message for each result', () => {
    const { body, dropped, approximated } = encode({
      turns: [
        { role: 'developer', content: [{ type: 'text', text: 's' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'q' },
            { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA' }, detail: 'low' },
            { type: 'document', filename: 'a.txt', source: { kind: 'text', mediaType: 'text/plain', text: 'inside' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'I call both.' },
            { type: 'tool-call', id: '1', name: 'f', kind: 'function', argumentsText: '{"a": 1.0}' },
            { type: 'tool-call', id: '2', name: 'run', kind: 'custom', argumentsText: 'ls' },
          ],
        },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', content: [{ type: 'text', text: '42' }] }] },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: '2', content: [{ type: 'image', source: { kind: 'url', url: 'https://a.example/b.png' } }] },
          ],
        },
      ],
    });

    expect(body['messages']).toEqual([
      { role: 'system', content: 's' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'q' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'low' } },
          { type: 'text', text: 'a.txt\ninside' },
        ],
      },
      {
        role: 'assistant',
        tool_plan: 'I call both.',
        tool_calls: [
          { id: '1', type: 'function', function: { name: 'f', arguments: '{"a": 1.0}' } },
          { id: '2', type: 'function', function: { name: 'run', arguments: '{"input":"ls"}' } },
        ],
      },
      { role: 'tool', tool_call_id: '1', content: '42' },
      { role: 'tool', tool_call_id: '2', content: '[image]' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Part of the result of 2:' },
          { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
        ],
      },
    ]);
    expect([dropped, approximated]).toEqual([[], ['messages.tool_result']]);
  });

  it('gives thinking back to models that think, and drops it where it has no place', () => {
    const turns: ChatRequest['turns'] = [
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'a' },
        ],
      },
    ];

    expect(encode({ turns }, { supportsReasoning: true }).body['messages']).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'a' },
        ],
      },
    ]);
    expect(encode({ turns })).toMatchObject({
      body: { messages: [{ role: 'assistant', content: 'a' }] },
      dropped: ['messages.reasoning'],
    });
  });

  it('thinks by budget, and only where the model can', () => {
    const thinking = (reasoning: ChatRequest['reasoning'], supportsReasoning = true): unknown =>
      encode({ ...(reasoning === undefined ? {} : { reasoning }) }, { supportsReasoning }).body['thinking'];

    expect(thinking({ effort: 'low' })).toEqual({ type: 'enabled', token_budget: 2048 });
    expect(thinking({ budgetTokens: 77 })).toEqual({ type: 'enabled', token_budget: 77 });
    expect(thinking({ effort: 'max' })).toEqual({ type: 'enabled' });
    expect(thinking({ effort: 'none' })).toEqual({ type: 'disabled' });
    expect(thinking(undefined)).toBeUndefined();
    expect(thinking({ effort: 'high' }, false)).toBeUndefined();
    expect(encode({ reasoning: { effort: 'high' } }).dropped).toEqual(['reasoning_effort']);
  });

  it('writes tools, and a choice of some by leaving the others out', () => {
    const tools: ChatRequest['tools'] = [
      { kind: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, isStrict: true },
      { kind: 'custom', name: 'run' },
    ];
    const f = { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } };

    expect(encode({ tools, toolChoice: { kind: 'tool', name: 'f' } }).body).toMatchObject({
      tools: [f],
      tool_choice: 'REQUIRED',
      strict_tools: true,
    });
    expect(encode({ tools, toolChoice: { kind: 'none' } }).body).toMatchObject({ tool_choice: 'NONE' });
    expect(encode({ tools, toolChoice: { kind: 'allowed', mode: 'auto', names: ['f'] } }).body).not.toHaveProperty('tool_choice');
    const all = encode({ tools });
    expect(all.body['tools']).toEqual([f, { type: 'function', function: { name: 'run', parameters: expect.any(Object) as object } }]);
    expect([all.dropped, all.approximated]).toEqual([['tools.strict'], ['tools']]);
    expect(() => encode({ tools: [{ kind: 'web-search' }] })).toThrow('cannot search the web');
  });

  it('writes formats, and refuses a schema the model does not know', () => {
    const responseFormat: ChatRequest['responseFormat'] = { kind: 'json-schema', name: 'n', schema: { type: 'object' } };

    expect(encode({ responseFormat }).body['response_format']).toEqual({ type: 'json_object', json_schema: { type: 'object' } });
    expect(encode({ responseFormat: { kind: 'json' } }).body['response_format']).toEqual({ type: 'json_object' });
    expect(() => encode({ responseFormat }, { supportsJsonSchema: false })).toThrow('JSON schema');
  });

  it('refuses content the provider cannot take', () => {
    const asking = (content: ChatRequest['turns'][number]['content']) => () => encode({ turns: [{ role: 'user', content }] });

    expect(asking([{ type: 'audio', data: 'AA', format: 'wav' }])).toThrow('audio');
    expect(asking([{ type: 'document', source: { kind: 'url', url: 'https://a.example/a.pdf' } }])).toThrow('File input');
    expect(asking([{ type: 'image', source: { kind: 'file', fileId: 'f' } }])).toThrow('named by id');
  });
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

it('puts what is said about a schema into the schema', () => {
  const schemaFor = (schema: Record<string, unknown>) =>
    (encode({ responseFormat: { kind: 'json-schema', description: 'd', schema } }).body['response_format'] as Record<string, unknown>)[
      'json_schema'
    ];

  expect(schemaFor({ type: 'object' })).toEqual({ type: 'object', description: 'd' });
  expect(schemaFor({ type: 'object', description: 'own' })).toEqual({ type: 'object', description: 'own' });
});
