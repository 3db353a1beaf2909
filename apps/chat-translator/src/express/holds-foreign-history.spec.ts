import type { ChatDialect } from '@weir/contracts';
import { holdsForeignHistory } from './holds-foreign-history';

const holds = (dialect: ChatDialect, json: Record<string, unknown>): boolean =>
  holdsForeignHistory(dialect, { text: JSON.stringify(json), json });
const messages = (block: object, role = 'assistant') => ({
  messages: [
    { role: 'user', content: '' },
    { role, content: [block] },
  ],
});
const TOLD_HERE = 'rs_01a20263015f7019adf51b2eee8155a10';

it.each<[string, object, boolean]>([
  ['thinking without a signature', { type: 'thinking', thinking: 'a', signature: '' }, true],
  ['thinking of its vendor', { type: 'thinking', thinking: '', signature: 'sig' }, false],
  ['a page without its state', { type: 'web_search_tool_result', content: [{ url: 'https://a', encrypted_content: '' }] }, true],
  ['a search that failed', { type: 'web_search_tool_result', content: { error_code: 'unavailable', x: '' } }, false],
  ['a source without its state', { type: 'text', text: 'a', citations: [{ url: 'https://a', encrypted_index: '' }] }, true],
  ['a call with such arguments', { type: 'tool_use', id: 't', name: 'f', input: { type: 'thinking', signature: '' } }, false],
])('messages: %s', (_name, block, expected) => {
  expect(holds('messages', messages(block))).toBe(expected);
  expect(holds('messages', messages(block, 'user'))).toBe(false);
  expect(holds('chat-completions', messages(block))).toBe(false);
});

it.each<[object, boolean]>([
  [{ type: 'reasoning', id: TOLD_HERE, summary: [] }, true],
  [{ type: 'reasoning', id: TOLD_HERE, summary: [], encrypted_content: null }, true],
  [{ type: 'reasoning', id: TOLD_HERE, summary: [], encrypted_content: 'enc' }, false],
  [{ type: 'reasoning', id: 'rs_68a1b2c3d4e5f60718293a4b5c6d7e8f90123456789abcde', summary: [] }, false],
  [{ type: 'message', id: TOLD_HERE, role: 'assistant', content: [] }, false],
])('responses: %j', (item, expected) => {
  expect(holds('responses', { input: [item] })).toBe(expected);
  expect(holds('responses', { input: 'rs_' })).toBe(false);
});
