import type { ChatDialect } from '@weir/contracts';
import { checkExpressBody } from './check-express-body';

const body = { model: 'acme/one', max_tokens: 5, messages: [{ role: 'user', content: 'hello' }] };

it.each([
  ['max_tokens', { max_tokens: undefined }],
  ['max_tokens', { max_tokens: 0 }],
  ['temperature', { temperature: 2.1 }],
  ['temperature', { temperature: 'warm' }],
  ['top_p', { top_p: -0.1 }],
  ['top_p', { top_p: 1.5 }],
  ['top_k', { top_k: -1 }],
  ['top_k', { top_k: 1.5 }],
  ['stop_sequences', { stop_sequences: 'END' }],
  ['stop_sequences', { stop_sequences: ['END', 5] }],
  ['output_config.effort', { output_config: { effort: 'extreme' } }],
  ['messages[0].content', { messages: [{ role: 'user', content: 5 }] }],
  ['messages[0].content[1]', { messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, 'y'] }] }],
  ['messages', { messages: [] }],
  ['messages[0].role', { messages: [{}] }],
])('a messages body is refused for its %s: %j', (field, changes) => {
  expect(() => checkExpressBody('messages', { ...body, ...changes })).toThrow(
    expect.objectContaining({ code: 'invalid_request', details: { field } }) as Error,
  );
});

it.each([{}, { temperature: 0, top_p: 0, top_k: 0 }, { temperature: 2, top_p: 1, top_k: 500 }, { temperature: null }])(
  'a messages body goes on with %j',
  (changes) => {
    expect(() => checkExpressBody('messages', { ...body, ...changes })).not.toThrow();
  },
);

it('numbers of other dialects are their provider’s to judge', () => {
  expect(() => checkExpressBody('chat-completions', { ...body, temperature: 9 })).not.toThrow();
  expect(() => checkExpressBody('responses', { model: 'acme/one', input: 'hello', top_p: 9 })).not.toThrow();
});

it('an answer that would be made in the background is refused: no one could fetch it', () => {
  expect(() => checkExpressBody('responses', { model: 'acme/one', input: 'hello', background: true })).toThrow(
    expect.objectContaining({ code: 'invalid_request', details: { field: 'background' } }) as Error,
  );
  expect(() => checkExpressBody('responses', { model: 'acme/one', input: 'hello', background: false })).not.toThrow();
});

it.each<[ChatDialect, string, object]>([
  ['chat-completions', 'messages[0].role', { messages: [{ role: 'bogus', content: 'x' }] }],
  ['chat-completions', 'messages[0].role', { messages: [{ role: 7, content: 'x' }] }],
  ['chat-completions', 'messages[0]', { messages: [['user', 'x']] }],
  ['messages', 'messages[0].role', { messages: [{ role: 'tool', content: 'x' }] }],
  ['responses', 'input[0].role', { input: [{ role: 'tool', content: 'x' }] }],
  ['responses', 'input[1]', { input: [{ role: 'user', content: 'x' }, 'y'] }],
  ['chat-completions', 'messages[0].content', { messages: [{ role: 'user', content: 5 }] }],
  ['chat-completions', 'messages[0].content', { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] }],
  ['chat-completions', 'stop', { stop: 5 }],
  ['chat-completions', 'stop', { stop: [5] }],
  ['chat-completions', 'reasoning_effort', { reasoning_effort: 'extreme' }],
  ['responses', 'input[0].content', { input: [{ role: 'user', content: true }] }],
  ['responses', 'input[0].content[0]', { input: [{ type: 'reasoning', content: [5] }] }],
  ['responses', 'reasoning.effort', { input: 'x', reasoning: { effort: 'extreme' } }],
  ['chat-completions', 'response_format', { response_format: 'json_object' }],
  ['chat-completions', 'response_format.type', { response_format: { type: 'bogus' } }],
  ['chat-completions', 'response_format.type', { response_format: {} }],
  ['responses', 'text.format.type', { input: 'x', text: { format: { type: 'bogus' } } }],
])('a body of %s is refused for its %s, as where it is translated: %j', (dialect, field, changes) => {
  expect(() => checkExpressBody(dialect, { ...body, ...changes })).toThrow(
    expect.objectContaining({ code: 'invalid_request', details: { field } }) as Error,
  );
});

it.each<[ChatDialect, object]>([
  [
    'chat-completions',
    { response_format: null, messages: ['system', 'developer', 'user', 'assistant', 'tool', 'function'].map((role) => ({ role })) },
  ],
  ['chat-completions', { response_format: { type: 'grammar', grammar: 'root ::= "x"' } }],
  ['chat-completions', { stop: 'END', reasoning_effort: 'xhigh' }],
  ['chat-completions', { stop: ['END'], reasoning_effort: 'default' }],
  ['chat-completions', { stop: null, reasoning_effort: 1024 }],
  ['messages', { stop_sequences: ['END'], output_config: { effort: 'max' }, top_k: 3 }],
  ['messages', { stop_sequences: null, output_config: { effort: null } }],
  ['responses', { input: [{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }], reasoning: { effort: 'none' } }],
  [
    'messages',
    {
      messages: [
        { role: 'system', content: 'x' },
        { role: 'user', content: 'x' },
      ],
    },
  ],
  [
    'responses',
    {
      input: [
        { type: 'function_call_output', call_id: 'c', output: 'x' },
        { role: 'developer', content: 'x' },
      ],
    },
  ],
  ['responses', { input: 'x', text: { format: { type: 'json_schema' } } }],
])('a body of %s goes on with what its vendor documents: %j', (dialect, changes) => {
  expect(() => checkExpressBody(dialect, { ...body, ...changes })).not.toThrow();
});
