import { z } from 'zod';
import { nameEvents, nameReply } from '../named-schemas';
import { cost, estimated } from './chat-completions-reply';
import { messagesError } from './errors';

const count = z.int().min(0);

const usageFields = {
  output_tokens: count,
  cache_creation_input_tokens: count.nullish(),
  cache_read_input_tokens: count.nullish(),
};
const messagesUsage = nameReply('MessagesUsage', z.looseObject({ input_tokens: count, ...usageFields, cost, estimated }));
const startUsage = z.looseObject({ input_tokens: count, ...usageFields });
const finalUsage = z.looseObject({ input_tokens: count.nullish(), ...usageFields, cost, estimated });

const block = nameReply(
  'MessagesBlock',
  z.union([
    z.looseObject({ type: z.literal('text'), text: z.string(), citations: z.array(z.looseObject({ type: z.string() })).nullish() }),
    z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
    z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
    z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.looseObject({}) }),
    z.looseObject({ type: z.literal('server_tool_use'), id: z.string(), name: z.string(), input: z.looseObject({}) }),
    z.looseObject({
      type: z.literal('web_search_tool_result'),
      tool_use_id: z.string(),
      content: z.union([z.array(z.looseObject({ type: z.string() })), z.looseObject({ type: z.string(), error_code: z.string() })]),
    }),
    z
      .looseObject({ type: z.string().regex(/^(?!(?:text|thinking|redacted_thinking|tool_use|server_tool_use|web_search_tool_result)$)/) })
      .describe('Blocks of tools that a vendor runs.'),
  ]),
);

const stopReason = z
  .string()
  .nullable()
  .describe('`end_turn`, `max_tokens`, `stop_sequence`, `tool_use`, `pause_turn`, `refusal` or `model_context_window_exceeded`.');
const head = { id: z.string(), type: z.literal('message'), role: z.literal('assistant'), model: z.string() };
const stop = { stop_reason: stopReason, stop_sequence: z.string().nullable() };

/** A whole reply of messages. */
export const message = nameReply('Message', z.looseObject({ ...head, content: z.array(block), ...stop, usage: messagesUsage }));

const delta = z.union([
  z.looseObject({ type: z.literal('text_delta'), text: z.string() }),
  z.looseObject({ type: z.literal('input_json_delta'), partial_json: z.string() }),
  z.looseObject({ type: z.literal('thinking_delta'), thinking: z.string() }),
  z.looseObject({ type: z.literal('signature_delta'), signature: z.string() }),
  z.looseObject({ type: z.literal('citations_delta'), citation: z.looseObject({}) }),
]);

/** The events of a messages stream, by name. */
export const messagesEvents = nameEvents('MessagesEvent', [
  [
    'message_start',
    z.looseObject({
      type: z.literal('message_start'),
      message: z.looseObject({ ...head, content: z.array(block), ...stop, usage: startUsage }),
    }),
  ],
  ['content_block_start', z.looseObject({ type: z.literal('content_block_start'), index: count, content_block: block })],
  ['content_block_delta', z.looseObject({ type: z.literal('content_block_delta'), index: count, delta })],
  ['content_block_stop', z.looseObject({ type: z.literal('content_block_stop'), index: count })],
  ['message_delta', z.looseObject({ type: z.literal('message_delta'), delta: z.looseObject(stop), usage: finalUsage })],
  ['message_stop', z.looseObject({ type: z.literal('message_stop') })],
  ['ping', z.looseObject({ type: z.literal('ping') })],
  ['error', messagesError],
]);

export const countTokensReply = nameReply('CountTokensReply', z.looseObject({ input_tokens: count }));
