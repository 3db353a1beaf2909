import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatRequest } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import fc from 'fast-check';
import { wireFormats } from './wire-formats';

const DIALECTS: readonly ChatDialect[] = ['chat-completions', 'responses', 'messages'];

const ARGUMENTS = '{ "b":1.0,"a" : [1e3, 12345678901234567890] ,"a":"\\u00e9" }';

/** Bodies that use as much of each dialect as fits. */
const RICH: Record<ChatDialect, Record<string, unknown>> = {
  'chat-completions': {
    model: 'm',
    messages: [
      { role: 'system', content: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'u' },
          { type: 'image_url', image_url: { url: 'https://x.org/a.png', detail: 'low' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'r',
        reasoning_details: [{ type: 'reasoning.text', text: 'r', signature: 'gw1:messages:signature:YWJj', index: 0 }],
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'f', arguments: ARGUMENTS } },
          { id: 'c2', type: 'custom', custom: { name: 'g', input: 'free' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'result' },
      { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'result' }] },
      { role: 'user', content: [{ type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' }] },
    ],
    temperature: 1,
    max_completion_tokens: 10,
    stop: ['a'],
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' }, strict: true } }, { type: 'web_search' }],
    tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] } },
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' } } },
    logit_bias: { '5': -1 },
    web_search_options: { user_location: { type: 'approximate', approximate: { city: 'Bonn' } } },
  },
  responses: {
    model: 'm',
    instructions: 'i',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'u' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
        ],
      },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 's' }], encrypted_content: 'enc' },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: ARGUMENTS },
      { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'o' }] },
      { type: 'custom_tool_call', call_id: 'c2', name: 'g', input: 'free' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'o' },
      {
        type: 'web_search_call',
        id: 'ws_1',
        status: 'completed',
        action: { type: 'search', query: 'q', sources: [{ type: 'url', url: 'https://x.org' }] },
      },
      {
        type: 'message',
        role: 'assistant',
        id: 'm',
        content: [
          { type: 'output_text', text: 'a', annotations: [] },
          { type: 'refusal', refusal: 'no' },
        ],
      },
    ],
    tools: [
      { type: 'function', name: 'f', parameters: null, strict: false },
      { type: 'namespace', name: 'ns', tools: [{ type: 'function', name: 'g' }] },
    ],
    text: { format: { type: 'json_schema', name: 'n', schema: {} }, verbosity: 'low' },
    reasoning: { effort: 'low', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
  },
  messages: {
    model: 'm',
    max_tokens: 10,
    system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 't', signature: 'sig' },
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
          {
            type: 'web_search_tool_result',
            tool_use_id: 'srvtoolu_1',
            content: [{ type: 'web_search_result', url: 'u', title: 't', encrypted_content: 'e' }],
          },
          { type: 'text', text: 'a', citations: [{ type: 'char_location', cited_text: 'x', document_index: 0 }] },
          { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'o' }], is_error: true }] },
      { role: 'user', content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'd' }, title: 'T' }] },
    ],
    tools: [
      { name: 'f', input_schema: { type: 'object' } },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
    ],
    tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 1024 },
    output_config: { effort: 'high' },
    metadata: { user_id: 'u' },
  },
};

function placesOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? value.map((entry, index) => [index, entry] as const) : Object.entries(value);
  return [path, ...entries.flatMap(([key, entry]) => placesOf(entry, [...path, key]))];
}

function replaceAt(value: unknown, path: readonly (string | number)[], replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[key] = replaceAt(copy[key], rest, replacement);
  return copy;
}

function refusalOf(dialect: ChatDialect, body: Record<string, unknown>): GatewayError | undefined {
  try {
    wireFormats[dialect].decodeRequest(body);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
    throw thrown;
  }
}

describe.each(DIALECTS)('decoding %s requests', (dialect) => {
  it('takes the rich body and leaves nothing unmapped', () => {
    expect(wireFormats[dialect].decodeRequest(RICH[dialect]).unmapped).toBeUndefined();
  });

  it('meets any mutation of a good body with a request or with invalid_request that names its field', () => {
    const places = placesOf(RICH[dialect]).filter((path) => path.length > 0);
    const junk = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
      fc.constantFrom<unknown>(undefined, null, '', [], {}, -1, 0, NaN, 'text', [null], [{}]),
    );
    fc.assert(
      fc.property(fc.constantFrom(...places), junk, (place, replacement) => {
        const refusal = refusalOf(dialect, replaceAt(RICH[dialect], place, replacement) as Record<string, unknown>);
        if (refusal === undefined) return;
        expect(refusal.code).toBe('invalid_request');
        const field = refusal.details.field ?? '';
        expect(field).toMatch(new RegExp(`^${String(place[0])}|^(model|input|messages|max_tokens|tool)`));
        expect(refusal.message.startsWith(field)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('never fails in another way on bodies that are not of the dialect at all', () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => void refusalOf(dialect, body)));
    for (const other of DIALECTS) refusalOf(dialect, RICH[other]);
  });

  it('reports fields it has no word for, but neither extension objects nor nulls', () => {
    const body = { ...RICH[dialect], new_thing: { a: 1 }, weir: { tags: [] }, requesty: {}, other_thing: null };
    expect(wireFormats[dialect].decodeRequest(body).unmapped).toEqual({ new_thing: { a: 1 } });
  });
});

it.each(['chat-completions', 'responses'] as const)('%s keeps the text of tool arguments byte for byte', (dialect) => {
  const request = wireFormats[dialect].decodeRequest(RICH[dialect]);
  expect(toolArguments(request)).toEqual([ARGUMENTS, 'free']);
});

function toolArguments(request: ChatRequest): string[] {
  return request.turns.flatMap((turn) => turn.content.flatMap((block) => (block.type === 'tool-call' ? [block.argumentsText] : [])));
}

const CAPTURES = join(process.env['WIRE_FIXTURES_DIR'] ?? join(__dirname, '../../../../shared/data/wire-fixtures'), 'client-captures');
const DIALECT_OF_PATH: Record<string, ChatDialect> = {
  '/v1/chat/completions': 'chat-completions',
  '/v1/responses': 'responses',
  '/v1/messages': 'messages',
};

describe('requests that real clients send', () => {
  const files = existsSync(CAPTURES) ? readdirSync(CAPTURES).filter((name) => name.includes('-POST-')) : [];
  const captures = files.flatMap((name) => {
    const { url, body } = JSON.parse(readFileSync(join(CAPTURES, name), 'utf8')) as { url: string; body: Record<string, unknown> };
    const dialect = DIALECT_OF_PATH[url.split('?')[0] ?? ''];
    return dialect === undefined ? [] : [{ name, dialect, body }];
  });

  if (captures.length === 0 && process.env['REQUIRE_REAL_PARTS'] === '1' && process.env['REQUIRE_CAPTURES'] !== '0') {
    it('has the captures it replays', () => {
      throw new Error(`REQUIRE_REAL_PARTS=1, but there are no captures in ${CAPTURES}`);
    });
    return;
  }
  if (captures.length === 0) {
    it.skip(`SKIPPED: no captures in ${CAPTURES}; set WIRE_FIXTURES_DIR to replay them`, () => undefined);
    return;
  }

  it.each(captures)('$name decodes', ({ dialect, body }) => {
    const request = wireFormats[dialect].decodeRequest(body);
    expect(request.turns.length).toBeGreaterThan(0);
    expect(request.tools?.length ?? 0).toBeGreaterThanOrEqual(Array.isArray(body['tools']) ? body['tools'].length : 0);
  });
});
