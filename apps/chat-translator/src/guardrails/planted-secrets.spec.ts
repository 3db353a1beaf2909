import type { PassportGuardrail } from '@weir/contracts';
import { createGuardOpener, NO_SCANNERS } from '@weir/exchange';
import { makePassport, plantSecrets } from '@weir/testing';
import { openGuardHarness } from './__fixtures__/guard-harness';

const MAIL = 'jane.doe@example.com';
const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';
const SCHEMA = {
  $defs: { street: { type: 'string', description: 'd' } },
  type: 'object',
  title: 't',
  required: ['city'],
  properties: {
    city: { type: ['string', 'null'], description: 'd', enum: ['a'], default: 'a', examples: ['a'], pattern: '^a', format: 'date' },
    place: { anyOf: [{ $ref: '#/$defs/street' }, { const: { deep: 'a' } }] },
  },
};
const INPUT = { city: 'a', nested: [{ street: 'b', list: ['c'] }] };
const USER_LOCATION = { type: 'approximate', city: 'a', country: 'b', region: 'c', timezone: 'd' };

/** A body of each endpoint with all that its interface takes, and what only some providers take. */
const BODIES: Readonly<Record<string, Record<string, unknown>>> = {
  'chat-completions': {
    ...{
      user: 'u',
      safety_identifier: 's',
      prompt_cache_key: 'k',
      metadata: { m: 'v' },
      stop: ['x'],
      service_tier: 'auto',
      verbosity: 'low',
    },
    ...{ modalities: ['text'], reasoning_effort: 'low', logit_bias: { '50256': -1 }, prediction: { type: 'content', content: 'p' } },
    messages: [
      { role: 'system', content: 's', name: 'n' },
      {
        role: 'user',
        name: 'n',
        content: [
          { type: 'text', text: 't' },
          { type: 'image_url', image_url: { url: PIXEL, detail: 'low' } },
        ],
      },
      { role: 'user', content: [{ type: 'file', file: { filename: 'f.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } }] },
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }] },
      {
        role: 'assistant',
        ...{ content: 'c', refusal: 'r', reasoning_content: 'r', audio: { id: 'audio_1' } },
        reasoning_details: [{ type: 'reasoning.text', text: 'a b', signature: 'AAAA', summary: 'a b' }],
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: JSON.stringify(INPUT) } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: JSON.stringify(INPUT) },
    ],
    tools: [
      { type: 'function', function: { name: 'f', description: 'd', parameters: SCHEMA } },
      {
        type: 'custom',
        custom: { name: 'c', description: 'd', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } } },
      },
    ],
    tool_choice: { type: 'function', function: { name: 'f' } },
    functions: [{ name: 'f', description: 'd', parameters: SCHEMA }],
    response_format: { type: 'json_schema', json_schema: { name: 'n', description: 'd', schema: SCHEMA } },
    web_search_options: { search_context_size: 'low', user_location: { type: 'approximate', approximate: USER_LOCATION } },
  },
  messages: {
    max_tokens: 100,
    ...{ metadata: { user_id: 'u' }, stop_sequences: ['x'], thinking: { type: 'enabled', budget_tokens: 50 } },
    system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral', ttl: '5m' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 't' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
          { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
          { type: 'document', title: 't', context: 'c', source: { type: 'text', media_type: 'text/plain', data: 'words' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 't', signature: 'AAAA' },
          { type: 'redacted_thinking', data: 'AAAA' },
          { type: 'text', text: 't', citations: [{ type: 'char_location', cited_text: 'c', document_title: 'd' }] },
          { type: 'tool_use', id: 'toolu_1', name: 'f', input: INPUT },
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
          {
            type: 'web_search_tool_result',
            tool_use_id: 'srvtoolu_1',
            content: [{ type: 'web_search_result', url: 'https://a.b', title: 't', encrypted_content: 'AAAA' }],
          },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: JSON.stringify(INPUT) }] }],
      },
    ],
    tools: [
      { name: 'f', description: 'd', input_schema: SCHEMA, input_examples: [INPUT] },
      { type: 'web_search_20250305', name: 'web_search', user_location: USER_LOCATION, allowed_domains: ['a.org'] },
    ],
    tool_choice: { type: 'tool', name: 'f' },
    output_config: { format: { type: 'json_schema', schema: SCHEMA } },
    mcp_servers: [{ type: 'url', url: 'https://mcp.example.org', name: 'n', authorization_token: 'abc' }],
  },
  responses: {
    ...{ instructions: 'i', user: 'u', metadata: { m: 'v' }, include: ['reasoning.encrypted_content'], truncation: 'auto' },
    ...{ reasoning: { effort: 'low', summary: 'auto' }, prompt_cache_key: 'k' },
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 't' },
          { type: 'input_image', image_url: PIXEL },
        ],
      },
      { role: 'user', content: [{ type: 'input_file', filename: 'f.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' }] },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 't', annotations: [{ type: 'url_citation', url: 'https://a.b', title: 't' }] }],
      },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 't' }], encrypted_content: 'AAAA' },
      { type: 'function_call', call_id: 'call_1', name: 'f', arguments: JSON.stringify(INPUT) },
      { type: 'function_call_output', call_id: 'call_1', output: JSON.stringify(INPUT) },
    ],
    tools: [
      { type: 'function', name: 'f', description: 'd', parameters: SCHEMA },
      { type: 'web_search', user_location: USER_LOCATION, filters: { allowed_domains: ['a.org'] } },
      {
        type: 'mcp',
        server_label: 'l',
        server_description: 'd',
        server_url: 'https://mcp.example.org',
        headers: { 'x-a': 'b' },
        require_approval: 'never',
      },
      { type: 'custom', name: 'c', description: 'd', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
    ],
    tool_choice: { type: 'function', name: 'f' },
    text: { verbosity: 'low', format: { type: 'json_schema', name: 'n', description: 'd', schema: SCHEMA } },
  },
  embeddings: { input: ['a', 'b'], encoding_format: 'float', user: 'u' },
};

const ENDPOINTS = Object.keys(BODIES);
let version = 0;
const makeGuardrail = (action: PassportGuardrail['action']): PassportGuardrail => ({
  ...{ id: 'g', version: (version += 1), name: 'no mail', detectors: ['email'] },
  ...{ action, stage: 'input', onError: 'closed' },
});

const open = createGuardOpener(NO_SCANNERS);
async function check(body: object, guardrail: PassportGuardrail) {
  const text = JSON.stringify(body);
  const guard = open(makePassport({ endpointId: 'chat-completions', attempts: [], guardrails: [guardrail] }), [text]);
  const passed = await guard.checkRequest({ text, json: JSON.parse(text) as Record<string, unknown> });
  return { passed, refusal: guard.refusal(), verdict: guard.verdict() };
}

describe.each(ENDPOINTS)('a secret in %s', (endpointId) => {
  const body = { model: 'm', ...BODIES[endpointId] };
  /** What a provider gets in place of the model is its own name for it. */
  const planted = plantSecrets(body, MAIL).filter(({ path, kind }) => path !== '.model' || kind === 'name');

  it('stops the request wherever it stands, in a text or a name, where a guardrail blocks', async () => {
    const guardrail = makeGuardrail('block');
    const missed: string[] = [];
    for (const { path, kind, body: spoilt } of planted) {
      if ((await check(spoilt, guardrail)).refusal?.code !== 'guardrail_blocked') missed.push(`${kind} ${path}`);
    }
    expect(missed).toEqual([]);
    expect(planted.length).toBeGreaterThan(endpointId === 'embeddings' ? 9 : 200);
  });

  it('is masked wherever a placeholder can stand, and stops the request elsewhere, where a guardrail masks', async () => {
    const guardrail = makeGuardrail('mask');
    const passed: string[] = [];
    let masked = 0;
    for (const { path, kind, body: spoilt } of planted) {
      const { passed: text, refusal } = await check(spoilt, guardrail);
      if (refusal === undefined && (text.includes('jane') || !text.includes('[EMAIL_1]'))) passed.push(`${kind} ${path}`);
      if (refusal === undefined) masked += 1;
    }
    expect(passed).toEqual([]);
    expect(masked).toBeGreaterThan(endpointId === 'embeddings' ? 3 : 30);
  });

  it('is found in none of it where there is none, and nothing is changed', async () => {
    const { passed, verdict } = await check(body, makeGuardrail('block'));
    expect([passed, verdict]).toEqual([JSON.stringify(body), 'passed']);
  });
});

const PLACES: readonly (readonly [string, string, 'masked' | 'blocked', (secret: string) => object])[] = [
  [
    'chat-completions',
    'the description of a format',
    'masked',
    (secret) => ({ response_format: { type: 'json_schema', json_schema: { name: 'n', description: secret, schema: { type: 'object' } } } }),
  ],
  ['chat-completions', 'a stop sequence', 'blocked', (secret) => ({ stop: [secret] })],
  ['chat-completions', 'a member that no one knows', 'masked', (secret) => ({ x_vendor: { deep: [secret] } })],
  [
    'chat-completions',
    'the place that a search is for',
    'masked',
    (secret) => ({ web_search_options: { user_location: { type: 'approximate', approximate: { city: secret } } } }),
  ],
  [
    'chat-completions',
    'the name of a schema’s member',
    'blocked',
    (secret) => ({
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: { [secret]: { type: 'string' } } } } }],
    }),
  ],
  [
    'messages',
    'a name in the input of a tool',
    'masked',
    (secret) => ({
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: { [secret]: 1 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }] },
      ],
    }),
  ],
  [
    'messages',
    'an example of an input',
    'masked',
    (secret) => ({ tools: [{ name: 'f', input_schema: { type: 'object' }, input_examples: [{ a: secret }] }] }),
  ],
  [
    'responses',
    'the description of a format of text',
    'masked',
    (secret) => ({ text: { format: { type: 'json_schema', name: 'n', description: secret, schema: { type: 'object' } } } }),
  ],
  [
    'responses',
    'the description of an MCP server',
    'masked',
    (secret) => ({ tools: [{ type: 'mcp', server_label: 'l', server_url: 'https://mcp.example.org', server_description: secret }] }),
  ],
];

describe('through the worker', () => {
  const NATIVE: Readonly<Record<string, string>> = { 'chat-completions': 'openai', messages: 'anthropic', responses: 'openai-responses' };
  let harness: Awaited<ReturnType<typeof openGuardHarness>>;
  beforeAll(async () => {
    harness = await openGuardHarness(NO_SCANNERS);
  });
  afterAll(() => harness.close());

  it.each(PLACES)('%s: %s is %s, and reaches no provider', async (endpointId, _, outcome, write) => {
    const said = endpointId === 'responses' ? { input: 'hi' } : { messages: [{ role: 'user', content: 'hi' }] };
    const ask = (action: PassportGuardrail['action']) =>
      harness.ask({
        ...{ endpointId, provider: NATIVE[endpointId] ?? '', guardrails: [makeGuardrail(action)] },
        body: { ...said, ...(endpointId === 'messages' ? { max_tokens: 100 } : {}), ...write(MAIL) },
      });
    const blocked = await ask('block');
    expect([blocked.status, harness.received]).toEqual([403, []]);
    const masked = await ask('mask');
    expect(harness.received.join()).not.toContain('jane');
    expect(masked.status).toBe(outcome === 'masked' ? 200 : 403);
    expect(harness.received.join().includes('[EMAIL_1]')).toBe(outcome === 'masked');
    if (outcome === 'blocked') expect(masked.text).toContain('cannot be masked where it stands');
  });
});
