import type { ChatDialect } from '@weir/contracts';
import { isObject } from './field-readers';

/** Encoders name the fields of a request as chat completions does; these are their names in the other dialects. */
const NAMES: Readonly<Record<ChatDialect, Readonly<Record<string, string>>>> = {
  'chat-completions': {},
  responses: {
    'image_url.detail': 'input_image.detail',
    logprobs: 'top_logprobs',
    max_tokens: 'max_output_tokens',
    messages: 'input',
    reasoning_effort: 'reasoning.effort',
    response_format: 'text.format',
    verbosity: 'text.verbosity',
  },
  messages: {
    parallel_tool_calls: 'tool_choice.disable_parallel_tool_use',
    reasoning: 'thinking',
    reasoning_effort: 'thinking',
    response_format: 'output_config.format',
    stop: 'stop_sequences',
    user: 'metadata.user_id',
  },
};

/** Names of which a caller uses the one that stands in the body. */
const OTHER_NAMES: readonly (readonly [dialect: ChatDialect, name: string, path: readonly [string, ...string[]]])[] = [
  ['messages', 'reasoning_effort', ['output_config', 'effort']],
  ['messages', 'response_format', ['output_format']],
  ['chat-completions', 'max_tokens', ['max_completion_tokens']],
  ['chat-completions', 'user', ['safety_identifier']],
  ['responses', 'user', ['safety_identifier']],
];

const OF_MESSAGES = 'messages.';

/** What a caller calls a field that an encoder names: of two names, the one that the caller's body uses. */
export function nameField(dialect: ChatDialect, name: string, body: Readonly<Record<string, unknown>>): string {
  if (!Object.hasOwn(body, name)) {
    const other = OTHER_NAMES.find(([spoken, known, path]) => spoken === dialect && known === name && holds(body, path));
    if (other !== undefined) return other[2].join('.');
  }
  const known = NAMES[dialect];
  if (Object.hasOwn(known, name)) return known[name] ?? name;
  return dialect === 'responses' && name.startsWith(OF_MESSAGES) ? `input.${name.slice(OF_MESSAGES.length)}` : name;
}

function holds(body: Readonly<Record<string, unknown>>, path: readonly string[]): boolean {
  let value: unknown = body;
  for (const step of path) value = isObject(value) ? value[step] : undefined;
  return value !== undefined && value !== null;
}
