import type { ChatRequest } from './chat-request';
import { PLAIN_FIELDS, type RequestField } from './plain-fields';

/** The members of a request, and `citations`: the sources that its earlier replies name, which not every provider takes back. */
export type RequestFieldId = keyof ChatRequest | 'citations';

/** Every field of a request: the plain ones, and those that decoders and encoders handle by functions of their own. */
export const REQUEST_FIELDS: Readonly<Record<RequestFieldId, RequestField>> = {
  ...PLAIN_FIELDS,
  model: { name: 'model', paths: { 'chat-completions': ['model'], responses: ['model'], messages: ['model'] } },
  turns: { name: 'messages', paths: { 'chat-completions': ['messages'], responses: ['input'], messages: ['messages'] } },
  stream: { name: 'stream', paths: { 'chat-completions': ['stream'], responses: ['stream'], messages: ['stream'] }, idle: false },
  stop: { name: 'stop', paths: { 'chat-completions': ['stop'], messages: ['stop_sequences'] } },
  logitBias: { name: 'logit_bias', paths: { 'chat-completions': ['logit_bias'] } },
  topLogprobs: { name: 'logprobs', paths: { 'chat-completions': ['logprobs'], responses: ['top_logprobs'] } },
  tools: { name: 'tools', paths: { 'chat-completions': ['tools'], responses: ['tools'], messages: ['tools'] } },
  toolChoice: {
    name: 'tool_choice',
    paths: { 'chat-completions': ['tool_choice'], responses: ['tool_choice'], messages: ['tool_choice'] },
  },
  hasParallelTools: {
    name: 'parallel_tool_calls',
    paths: {
      'chat-completions': ['parallel_tool_calls'],
      responses: ['parallel_tool_calls'],
      messages: ['tool_choice.disable_parallel_tool_use'],
    },
    idle: true,
  },
  responseFormat: {
    name: 'response_format',
    paths: { 'chat-completions': ['response_format'], responses: ['text.format'], messages: ['output_config.format', 'output_format'] },
  },
  reasoning: {
    name: 'reasoning_effort',
    paths: { 'chat-completions': ['reasoning_effort'], responses: ['reasoning.effort'], messages: ['thinking', 'output_config.effort'] },
  },
  autoCache: { name: 'cache_control', paths: { 'chat-completions': ['cache_control'], messages: ['cache_control'] } },
  unmapped: { name: 'unmapped', paths: {} },
  citations: { name: 'messages.citations', paths: {} },
};

/** True when leaving the field out would lose something that the caller asked for. */
export function isFieldAsked(request: ChatRequest, id: RequestFieldId): boolean {
  if (id === 'citations') return request.turns.some(({ content }) => content.some(isCited));
  const value = request[id];
  return value !== undefined && value !== REQUEST_FIELDS[id].idle;
}

function isCited(block: ChatRequest['turns'][number]['content'][number]): boolean {
  return block.type === 'text' && block.citations !== undefined && block.citations.length > 0;
}
