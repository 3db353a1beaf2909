import { createOriginalBody, readMember, type OriginalBody } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { createProviderDirectory, type HistoryRule } from '@weir/providers';
import { encodeStateTag } from '@weir/wire-formats';
import type { CleanedBody } from './caller-body';
import { cleanHistory } from './clean-history';

const VENDOR: HistoryRule = { family: 'anthropic', needsState: true };
const OWN: HistoryRule = { family: 'anthropic', needsState: false };

function clean(dialect: ChatDialect, text: string, rule: HistoryRule | undefined): CleanedBody | undefined {
  return cleanHistory(dialect, { body: createOriginalBody(text) as OriginalBody, json: JSON.parse(text) as Record<string, unknown> }, rule);
}

const tag = (family: string, kind: 'signature' | 'redacted' | 'encrypted', toolCallId?: string) =>
  encodeStateTag({ state: { family, kind, value: 'st=' }, ...(toolCallId === undefined ? {} : { toolCallId }) }, 'none');

/** Everything beside the block stays, however it is spelt. */
const around = (...blocks: readonly string[]) =>
  `{ "model":"m","mcp_servers":[{"name":"x","url":""}], "context_management" : {"edits":[]},"container":"c","n":1.50,
  "messages":[{"role":"user","content":"hi"},{"x":1e2,"role":"assistant","content":[${blocks.join(',')}]},{"role":"user","content":"go"}]}`;
/** The space between top-level members is not kept. */
const squeeze = (text = '') => text.replace(/([{,])\s+"(?=model|context|messages)/g, '$1"');
const TEXT = '{"type":"text",  "text":"said"}';
const thinking = (signature?: string) => JSON.stringify({ type: 'thinking', thinking: 'hm', signature });
const search = (id: string, state: string) => [
  JSON.stringify({ type: 'server_tool_use', id, name: 'web_search', input: {} }),
  JSON.stringify({ type: 'web_search_tool_result', tool_use_id: id, content: [{ url: 'https://a', encrypted_content: state }] }),
];
const cited = (...indexes: readonly string[]) =>
  JSON.stringify({
    type: 'text',
    text: 'said',
    citations: indexes.map((index) => ({ type: 'web_search_result_location', encrypted_index: index })),
  });

describe('of a Messages body to the vendor itself', () => {
  it.each<[string, readonly string[], string, readonly string[], readonly string[]]>([
    ['thinking with an empty signature', [thinking('')], 'leaves it out', [], ['messages.reasoning']],
    ['thinking without a signature', [thinking()], 'leaves it out', [], ['messages.reasoning']],
    ['thinking of another provider', [thinking(tag('google', 'signature'))], 'leaves it out', [], ['messages.reasoning']],
    [
      'state of a call',
      ['{"type":"thinking","thinking":"","signature":"' + tag('google', 'signature', 't') + '"}'],
      'leaves it out',
      [],
      [],
    ],
    ['its own thinking in our words', [thinking(tag('anthropic', 'signature'))], 'says it in its own', [thinking('st=')], []],
    [
      'its own hidden thinking in our words',
      [`{"type":"redacted_thinking","data":"${tag('anthropic', 'redacted')}"}`],
      'says it in its own',
      ['{"type":"redacted_thinking","data":"st="}'],
      [],
    ],
    ['a page without state', search('s', ''), 'leaves out the search', [], ['messages.web-search']],
    ['a source without state', [cited('', 'e')], 'leaves out the source', [cited('e')], ['messages.citations']],
    [
      'sources of a search that is gone',
      [...search('s', ''), cited('e')],
      'leaves them out as well',
      ['{"type":"text","text":"said"}'],
      ['messages.web-search', 'messages.citations'],
    ],
    [
      'one search of two without state',
      [...search('s', ''), ...search('t', 'e'), cited('e')],
      'keeps the other',
      [...search('t', 'e'), cited('e')],
      ['messages.web-search'],
    ],
  ])('%s: %s', (_, given, _does, kept, dropped) => {
    const cleaned = clean('messages', around(...given, TEXT), VENDOR);
    expect(squeeze(cleaned?.body.text)).toBe(squeeze(around(...kept, TEXT)));
    expect([cleaned?.dropped, cleaned?.approximated]).toEqual([dropped, []]);
  });

  it.each([
    ['its own thinking', around(thinking('sig'), TEXT)],
    ['its own search', around(...search('s', 'e'), cited('e'))],
    ['a search that failed', around('{"type":"web_search_tool_result","tool_use_id":"s","content":{"error_code":"unavailable","x":""}}')],
    ['arguments that look like it', around('{"type":"tool_use","id":"t","name":"f","input":{"type":"thinking","signature":""}}')],
    [
      'what its caller said',
      JSON.stringify({ messages: [{ role: 'user', content: [{ type: 'thinking', thinking: 'a', signature: '' }] }] }),
    ],
  ])('%s stays, every byte of it', (_, text) => {
    expect(clean('messages', text, VENDOR)).toEqual({ body: createOriginalBody(text), dropped: [], approximated: [] });
  });

  it('leaves out a message of which nothing is left', () => {
    const messages = (JSON.parse(clean('messages', around(thinking('')), VENDOR)?.body.text ?? '{}') as { messages: { role: string }[] })
      .messages;
    expect(messages.map(({ role }) => role)).toEqual(['user', 'user']);
  });

  describe('in the middle of a tool loop', () => {
    const OF_CALL = tag('google', 'signature', 't');
    const says = (signature: string | null, thought = 'hm') => ({
      role: 'assistant',
      content: [
        ...(signature === null ? [] : [{ type: 'thinking', thinking: thought, signature }]),
        { type: 'tool_use', id: 't', name: 'f', input: {} },
      ],
    });
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] };
    const ask = (messages: readonly object[], more: object) =>
      clean('messages', JSON.stringify({ ...more, messages: [{ role: 'user', content: 'hi' }, ...messages] }), VENDOR);
    const ENABLED = { thinking: { type: 'enabled', budget_tokens: 1024 } };

    it.each<[string, readonly object[], boolean]>([
      ['lost its thinking', [says(''), result], false],
      ['lost what held nothing but the state of its call', [says(OF_CALL, ''), result], false],
      ['lost its thinking, and thought again', [says(''), result, says('sig'), result], false],
      [
        'thought, and calls again without',
        [says(''), result, { role: 'user', content: 'go' }, says('sig'), result, says(null), result],
        true,
      ],
      ['thought, and lost what it thought later', [says('sig'), result, says(''), result], true],
      ['is over', [says(''), result, { role: 'user', content: 'go' }], true],
    ])('a turn that %s', (_, messages, thinks) => {
      const cleaned = ask(messages, ENABLED);
      expect(JSON.parse(cleaned?.body.text ?? '{}')).toMatchObject(thinks ? ENABLED : { thinking: { type: 'disabled' } });
      expect(cleaned?.approximated).toEqual(thinks ? [] : ['thinking']);
    });

    it('a model that thinks as it likes thinks on', () => {
      const cleaned = ask([says(''), result], { thinking: { type: 'adaptive' } });
      expect(JSON.parse(cleaned?.body.text ?? '{}')).toMatchObject({ thinking: { type: 'adaptive' } });
    });

    it.each([
      ['[{"type":"clear_thinking_20251015","keep":"all"}]', undefined],
      [
        '[{"type":"clear_thinking_20251015"},{"type":"clear_tool_uses_20250919","n":1.50}]',
        '{"edits":[{"type":"clear_tool_uses_20250919","n":1.50}]}',
      ],
    ])('edits %s of thinking go with it', (edits, kept) => {
      const text = JSON.stringify({ ...ENABLED, messages: [says(''), result], context_management: 0 });
      const cleaned = clean('messages', text.replace(':0}', `:{"edits":${edits}}}`), VENDOR);

      expect(cleaned && readMember(cleaned.body, 'context_management')).toBe(kept);
      expect(cleaned?.approximated).toEqual(['thinking', 'context_management']);
    });
  });
});

describe('of a Messages body to a server of one’s own', () => {
  it('what has no state is its own writing, and stays', () => {
    const text = around(thinking(''), thinking(), ...search('s', ''), cited(''));
    expect(clean('messages', text, OWN)).toEqual({ body: createOriginalBody(text), dropped: [], approximated: [] });
  });

  it('state of other providers is left out all the same', () => {
    const cleaned = clean('messages', around(thinking(tag('google', 'signature')), TEXT), OWN);
    expect(cleaned?.body.text).not.toContain('thinking');
    expect(cleaned?.dropped).toEqual(['messages.reasoning']);
  });
});

it('a tag where no one looks for it has the whole body translated; so has any where no one knows the provider', () => {
  const hidden = around(`{"type":"compaction","content":"${tag('google', 'encrypted')}"}`);
  expect(clean('messages', hidden, VENDOR)).toBeUndefined();
  expect(clean('messages', around(thinking(tag('google', 'signature'))), undefined)).toBeUndefined();
  expect(clean('chat-completions', around(thinking('')), undefined)?.body.text).toBe(around(thinking('')));
});

const REPORTED_HERE = 'rs_01a20263015f7019adf51b2eee8155a10';

it.each<[string, object, unknown]>([
  ['reasoning that is stored nowhere', { type: 'reasoning', id: REPORTED_HERE, summary: [] }, undefined],
  ['the same with null for its state', { type: 'reasoning', id: REPORTED_HERE, summary: [], encrypted_content: null }, undefined],
  ['state of another provider', { type: 'reasoning', id: 'r', summary: [], encrypted_content: tag('anthropic', 'signature') }, undefined],
  [
    'its own state in our words',
    { type: 'reasoning', id: REPORTED_HERE, summary: [], encrypted_content: tag('openai-responses', 'encrypted') },
    { type: 'reasoning', summary: [], encrypted_content: 'st=' },
  ],
  ...[
    { type: 'reasoning', id: REPORTED_HERE, summary: [], encrypted_content: 'enc' },
    { type: 'reasoning', id: 'rs_68a1b2c3d4e5f60718293a4b5c6d7e8f90123456789abcde', summary: [] },
    { type: 'message', id: REPORTED_HERE, role: 'assistant', content: [] },
  ].map((item): [string, object, unknown] => [`what is its own: ${JSON.stringify(item)}`, item, item]),
])('of a Responses body: %s', (_, item, kept) => {
  const user = { role: 'user', content: 'hi' };
  const rest = { previous_response_id: 'resp_1', tools: [{ type: 'mcp', server_label: 'x' }] };
  const cleaned = clean('responses', JSON.stringify({ ...rest, input: [item, user] }), { family: 'openai-responses', needsState: true });

  expect(JSON.parse(cleaned?.body.text ?? '{}')).toEqual({ ...rest, input: kept === undefined ? [user] : [kept, user] });
  expect(cleaned?.dropped).toEqual(kept === undefined ? ['input.reasoning'] : []);
  expect(clean('responses', '{"input":"rs_"}', { family: 'f', needsState: true })?.dropped).toEqual([]);
});

it('of a Responses body: state of a call is left out, and nothing is lost by that', () => {
  const item = { type: 'reasoning', id: REPORTED_HERE, summary: [], encrypted_content: tag('google', 'signature', 't') };
  const cleaned = clean('responses', JSON.stringify({ input: [item, 1] }), { family: 'openai-responses', needsState: true });
  expect([cleaned?.body.text, cleaned?.dropped]).toEqual(['{"input":[1]}', []]);
});

it('the vendor’s own address demands its state; an address that was named instead is somebody else’s server', () => {
  const open = (env: Record<string, string>) =>
    createProviderDirectory({ env: (name) => env[name], transport: () => Promise.reject(new Error('no provider is called')) }).find(
      'anthropic',
    );

  expect(open({ ANTHROPIC_API_KEY: 'k' })?.express?.history).toEqual(VENDOR);
  expect(open({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://own.test' })?.express?.history).toEqual(OWN);
});
