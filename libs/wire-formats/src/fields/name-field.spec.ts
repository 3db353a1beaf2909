import type { ChatDialect } from '@weir/contracts';
import { nameField } from './name-field';

it.each<[ChatDialect, string, object, string]>([
  ['chat-completions', 'stop', {}, 'stop'],
  ['chat-completions', 'messages.is_error', {}, 'messages.is_error'],
  ['chat-completions', 'user', { safety_identifier: 's' }, 'safety_identifier'],
  ['chat-completions', 'user', { safety_identifier: 's', user: 'u' }, 'user'],
  ['chat-completions', 'max_tokens', { max_completion_tokens: 5 }, 'max_completion_tokens'],
  ['chat-completions', 'max_tokens', { max_tokens: 5 }, 'max_tokens'],
  ['responses', 'max_tokens', { max_output_tokens: 5 }, 'max_output_tokens'],
  ['messages', 'max_tokens', { max_tokens: 5 }, 'max_tokens'],
  ['responses', 'messages', {}, 'input'],
  ['responses', 'messages.reasoning', {}, 'input.reasoning'],
  ['responses', 'reasoning_effort', {}, 'reasoning.effort'],
  ['responses', 'tools.strict', {}, 'tools.strict'],
  ['responses', 'constructor', {}, 'constructor'],
  ['messages', 'messages.reasoning', {}, 'messages.reasoning'],
  ['messages', 'stop', {}, 'stop_sequences'],
  ['messages', 'user', {}, 'metadata.user_id'],
  ['messages', 'reasoning_effort', { thinking: { type: 'adaptive' } }, 'thinking'],
  ['messages', 'reasoning_effort', { output_config: { effort: 'low' } }, 'output_config.effort'],
  ['messages', 'response_format', { output_format: {} }, 'output_format'],
  ['messages', 'response_format', { output_config: { format: {} } }, 'output_config.format'],
])('%s calls %s of %j %s', (dialect, name, body, called) => {
  expect(nameField(dialect, name, body as Record<string, unknown>)).toBe(called);
});
