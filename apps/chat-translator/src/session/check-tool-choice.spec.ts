import type { ChatDialect } from '@weir/contracts';
import { checkToolChoice } from './check-tool-choice';

const CHAT_TOOL = { type: 'function', function: { name: 'f', parameters: {} } };
const FLAT_TOOL = { type: 'function', name: 'f', parameters: {} };
const CLAUDE_TOOL = { name: 'f', input_schema: {} };
const TOOLS: Readonly<Record<ChatDialect, readonly object[]>> = {
  'chat-completions': [CHAT_TOOL, { type: 'custom', custom: { name: 'c' } }],
  responses: [FLAT_TOOL],
  messages: [CLAUDE_TOOL, { type: 'web_search_20250305', name: 'web_search' }],
};

function check(dialect: ChatDialect, choice: unknown, more: object = { tools: TOOLS[dialect] }): () => void {
  return () => {
    checkToolChoice(dialect, { ...more, tool_choice: choice });
  };
}

it.each<[ChatDialect, unknown, string]>([
  ...(['chat-completions', 'responses', 'messages'] as const).flatMap((dialect): [ChatDialect, unknown, string][] => [
    [dialect, 'bogus', 'tool_choice'],
    [dialect, '', 'tool_choice'],
    [dialect, 7, 'tool_choice'],
    [dialect, true, 'tool_choice'],
    [dialect, ['auto'], 'tool_choice'],
    [dialect, {}, 'tool_choice.type'],
    [dialect, { type: 'bogus' }, 'tool_choice.type'],
    [dialect, { type: 'toString' }, 'tool_choice.type'],
  ]),
  ['chat-completions', 'any', 'tool_choice'],
  ['chat-completions', { type: 'function' }, 'tool_choice.function.name'],
  ['chat-completions', { type: 'function', function: { name: 'g' } }, 'tool_choice.function.name'],
  ['responses', { type: 'function', name: 'g' }, 'tool_choice.name'],
  ['messages', 'required', 'tool_choice'],
  ['messages', { type: 'tool', name: 'g' }, 'tool_choice.name'],
])('refuses %s choosing %j', (dialect, choice, field) => {
  expect(check(dialect, choice)).toThrow(expect.objectContaining({ status: 400, details: { field } }) as Error);
});

it.each<[ChatDialect, unknown]>([
  ['chat-completions', 'required'],
  ['responses', 'required'],
  ['messages', 'any'],
  ['messages', { type: 'any' }],
  ['chat-completions', { type: 'function', function: { name: 'f' } }],
])('refuses %s demanding %j where there is no tool', (dialect, choice) => {
  for (const more of [{}, { tools: [] }, { tools: null }]) expect(check(dialect, choice, more)).toThrow(/tool/);
});

const TAKEN: readonly (readonly [ChatDialect, unknown, object?])[] = [
  ['chat-completions', null, {}],
  ['chat-completions', undefined, {}],
  ['chat-completions', 'auto', {}],
  ['chat-completions', 'none', {}],
  ['chat-completions', 'required'],
  ['chat-completions', 'required', { web_search_options: {} }],
  ['chat-completions', { type: 'function', function: { name: 'f' } }],
  ['chat-completions', { type: 'custom', custom: { name: 'c' } }],
  ['chat-completions', { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } }],
  ['responses', { type: 'function', name: 'f' }],
  ['responses', { type: 'function', name: 'g' }, { prompt: { id: 'p' } }],
  ['responses', { type: 'function', name: 'g', namespace: 'n' }, { tools: [{ type: 'namespace', name: 'n', tools: [] }] }],
  ['responses', { type: 'function', name: 'g' }, { input: [{ type: 'additional_tools', tools: [{ type: 'function', name: 'g' }] }] }],
  ['responses', 'required', { input: [{ type: 'tool_search_output', tools: [{ type: 'function', name: 'g' }] }] }],
  ['responses', { type: 'mcp', server_label: 's' }],
  ['responses', { type: 'web_search_preview' }],
  ['messages', 'auto'],
  ['messages', 'any'],
  ['messages', { type: 'none' }],
  ['messages', { type: 'tool', name: 'f' }],
  ['messages', { type: 'tool', name: 'web_search' }],
  ['messages', { type: 'tool', name: 'x' }, { mcp_servers: [{ name: 's' }] }],
];
it.each(TAKEN.map(([dialect, choice, more = { tools: TOOLS[dialect] }]) => [dialect, choice, more] as const))(
  'takes %s choosing %j of %j',
  (dialect, choice, more) => {
    expect(check(dialect, choice, more)).not.toThrow();
  },
);
