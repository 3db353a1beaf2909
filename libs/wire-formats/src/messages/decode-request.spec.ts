import type { GatewayError } from '@weir/errors';
import { messagesFormat } from '.';

const decode = (body: Record<string, unknown>) => messagesFormat.decodeRequest(body);
const base = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };
const saying = (role: string, ...content: unknown[]) => ({ ...base, messages: [{ role, content }] });
const HI = { role: 'user', content: [{ type: 'text', text: 'hi' }] };

it('puts system first and drops the client’s own billing line', () => {
  const system = [
    { type: 'text', text: 'x-vendor-billing-header: v=1' },
    { type: 'text', text: 'be kind', cache_control: { type: 'ephemeral' } },
  ];
  expect(decode({ ...base, system }).turns).toEqual([{ role: 'system', content: [{ type: 'text', text: 'be kind', cache: {} }] }, HI]);
  expect(decode({ ...base, system: 'be kind' }).turns[0]).toEqual({ role: 'system', content: [{ type: 'text', text: 'be kind' }] });
});

it('takes system messages among the others', () => {
  const messages = [...base.messages, { role: 'system', content: 'now' }];
  expect(decode({ ...base, messages }).turns[1]).toEqual({ role: 'system', content: [{ type: 'text', text: 'now' }] });
});

it('gives tool results a turn of their own before what else the user says', () => {
  const body = saying('user', { type: 'text', text: 'and' }, { type: 'tool_result', tool_use_id: 't', content: 'ok', is_error: false });
  expect(decode(body).turns).toEqual([
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 't', content: [{ type: 'text', text: 'ok' }], isError: false }] },
    { role: 'user', content: [{ type: 'text', text: 'and' }] },
  ]);
});

it('makes one block of a search and its result', () => {
  const body = saying(
    'assistant',
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
    {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [{ type: 'web_search_result', url: 'u', title: 't', encrypted_content: 'e', page_age: 'old' }],
    },
  );
  const state = { family: 'messages', kind: 'encrypted', value: 'e' };
  expect(decode(body).turns[0]?.content).toEqual([
    { type: 'web-search', id: 'srvtoolu_1', query: 'q', results: [{ url: 'u', title: 't', age: 'old', state }] },
  ]);
});

it('takes thinking with its signature, and what was redacted', () => {
  const body = saying('assistant', { type: 'thinking', thinking: 't', signature: 's' }, { type: 'redacted_thinking', data: 'd' });
  expect(decode(body).turns[0]?.content).toEqual([
    { type: 'reasoning', text: 't', state: { family: 'messages', kind: 'signature', value: 's' } },
    { type: 'reasoning', text: '', state: { family: 'messages', kind: 'redacted', value: 'd' } },
  ]);
});

it('makes documents of search results and of content sources', () => {
  const body = saying(
    'user',
    { type: 'search_result', source: 'https://x.org', title: 'T', content: [{ type: 'text', text: 'a' }], citations: { enabled: true } },
    {
      type: 'document',
      source: {
        type: 'content',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    },
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA' }, title: 'P' },
  );
  expect(decode(body).turns[0]?.content).toEqual([
    {
      type: 'document',
      source: { kind: 'text', mediaType: 'text/plain', text: 'a' },
      filename: 'T',
      context: 'https://x.org',
      hasCitations: true,
    },
    { type: 'document', source: { kind: 'text', mediaType: 'text/plain', text: 'a\n\nb' } },
    {
      type: 'document',
      source: { kind: 'base64', mediaType: 'application/pdf', data: 'AA', field: 'messages[0].content[2].source' },
      filename: 'P',
    },
  ]);
});

describe('parameters', () => {
  it.each([
    [{ tool_choice: 'any' }, { toolChoice: { kind: 'required' } }],
    [{ tool_choice: { type: 'auto', disable_parallel_tool_use: true } }, { toolChoice: { kind: 'auto' }, hasParallelTools: false }],
    [{ tool_choice: { type: 'tool', name: 'f' } }, { toolChoice: { kind: 'tool', name: 'f' } }],
    [{ thinking: { type: 'enabled', budget_tokens: 2048 } }, { reasoning: { mode: 'enabled', budgetTokens: 2048, wantsState: true } }],
    [
      { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } },
      { reasoning: { mode: 'adaptive', effort: 'max', wantsState: true } },
    ],
    [{ thinking: { type: 'disabled' } }, { reasoning: { mode: 'disabled' } }],
    [
      { output_config: { format: { type: 'json_schema', schema: { a: 1 } } } },
      { responseFormat: { kind: 'json-schema', schema: { a: 1 } } },
    ],
    [
      { metadata: { user_id: 'u' }, top_k: 0 },
      { endUserId: 'u', topK: 0 },
    ],
    [{ cache_control: { type: 'ephemeral' } }, { autoCache: {} }],
    [{ context_management: { edits: [] } }, { unmapped: { context_management: { edits: [] } } }],
    [
      { tools: [{ type: 'web_search_20250305', name: 'web_search', allowed_callers: ['direct'] }] },
      { tools: [{ kind: 'web-search' }], unmapped: { 'tools.allowed_callers': ['direct'] } },
    ],
    [
      { tools: [{ type: 'web_search_20260209', name: 'web_search', max_uses: 3, blocked_domains: ['x'] }] },
      { tools: [{ kind: 'web-search', usesMax: 3, blockedDomains: ['x'] }] },
    ],
    [
      {
        tools: [
          { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
          { name: 'f', defer_loading: true },
        ],
      },
      { tools: [{ kind: 'function', name: 'f' }], unmapped: { 'tools.defer_loading': true, 'tools.tool_search': true } },
    ],
    [
      { tools: [{ type: 'bash_20250124', name: 'bash' }] },
      { tools: [{ kind: 'hosted', family: 'messages', type: 'bash_20250124', raw: { type: 'bash_20250124', name: 'bash' } }] },
    ],
    [
      { tools: [{ name: 'f', input_schema: { type: 'object' }, cache_control: { ttl: '5m' } }] },
      { tools: [{ kind: 'function', name: 'f', parameters: { type: 'object' }, cache: { ttl: '5m' } }] },
    ],
  ])('%j', (fields, expected) => {
    expect(decode({ ...base, ...fields })).toEqual({ model: 'm', stream: false, maxOutputTokens: 9, turns: [HI], ...expected });
  });
});

it('says of tools that were searched for which were found, as all of them are offered', () => {
  const found = [{ type: 'tool_reference', tool_name: 'f' }];
  const { turns } = decode({
    ...base,
    messages: [
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 's', name: 'tool_search_tool_bm25', input: { query: 'q' } },
          {
            type: 'tool_search_tool_result',
            tool_use_id: 's',
            content: { type: 'tool_search_tool_search_result', tool_references: found },
          },
          { type: 'tool_use', id: 'c', name: 'ToolSearch', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: found }] },
    ],
  });
  expect(turns).toEqual([
    { role: 'assistant', content: [{ type: 'tool-call', id: 'c', name: 'ToolSearch', kind: 'function', argumentsText: '{}' }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', content: [{ type: 'text', text: 'f' }] }] },
  ]);
});

describe('bad input is refused in the words of the dialect', () => {
  it.each([
    [{ max_tokens: 9, messages: base.messages }, 'model', 'is required'],
    [{ model: 'm', messages: base.messages }, 'max_tokens', 'is required'],
    [{ ...base, max_tokens: 0 }, 'max_tokens', 'at least 1'],
    [{ ...base, messages: [] }, 'messages', 'at least one'],
    [{ ...base, messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role', 'must be'],
    [{ ...base, temperature: 3 }, 'temperature', 'at most 2'],
    [{ ...base, top_k: -1 }, 'top_k', 'at least 0'],
    [{ ...base, top_p: 2 }, 'top_p', 'at most 1'],
    [{ ...base, system: 5 }, 'system', 'must be a string or an array'],
    [{ ...base, system: [{ type: 'image' }] }, 'system[0].type', 'must be "text"'],
    [{ ...base, stop_sequences: 'x' }, 'stop_sequences', 'must be an array'],
    [{ ...base, tool_choice: 'maybe' }, 'tool_choice', 'must be'],
    [{ ...base, thinking: { type: 'deep' } }, 'thinking.type', 'must be'],
    [{ ...base, tools: [{ type: 'function', function: { name: 'f' } }] }, 'tools[0].type', '"function"'],
    [{ ...base, tools: [{ input_schema: {} }] }, 'tools[0].name', 'is required'],
    [saying('user', { type: 'hologram' }), 'messages[0].content[0].type', '"hologram"'],
    [saying('user', { type: 'image', source: { type: 'base64', data: 'x' } }), 'messages[0].content[0].source.media_type', 'is required'],
    [saying('user', { type: 'image', source: { type: 'ftp' } }), 'messages[0].content[0].source.type', '"ftp"'],
    [saying('user', { type: 'tool_result', content: 'x' }), 'messages[0].content[0].tool_use_id', 'is required'],
    [saying('assistant', { type: 'tool_use', id: 'a', name: 'f', input: 'x' }), 'messages[0].content[0].input', 'must be an object'],
    [
      saying('assistant', { type: 'web_search_tool_result', tool_use_id: 'a', content: [] }),
      'messages[0].content[0].tool_use_id',
      'names no',
    ],
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

it('reports what it has no word for inside members it knows, but not a spelled-out default', () => {
  const tool = { name: 'f', input_schema: {}, input_examples: [{ a: 1 }], defer_loading: false, strict: true };
  const hosted = { type: 'computer_20250124', name: 'computer', display_width_px: 9 };
  const { unmapped } = decode({
    ...base,
    tools: [tool, hosted],
    output_config: { effort: 'low', task_budget: { total: 5 } },
    metadata: { user_id: 'u', team: 'x' },
    speed: 'fast',
  });

  expect(unmapped).toEqual({
    'tools.input_examples': [{ a: 1 }],
    'output_config.task_budget': { total: 5 },
    'metadata.team': 'x',
    speed: 'fast',
  });
  expect(decode({ ...base, metadata: { user_id: 'u' } })).not.toHaveProperty('unmapped');
});
