import { z } from 'zod';
import { nameEvents, nameReply } from '../named-schemas';
import { cost, estimated } from './chat-completions-reply';

const count = z.int().min(0);
const text = z.string().nullish();

const responsesUsage = nameReply(
  'ResponsesUsage',
  z.looseObject({
    input_tokens: count,
    output_tokens: count,
    total_tokens: count,
    input_tokens_details: z.looseObject({ cached_tokens: count }),
    output_tokens_details: z.looseObject({ reasoning_tokens: count }),
    cost,
    estimated,
  }),
);

const outputPart = z.union([
  z.looseObject({ type: z.literal('output_text'), text: z.string(), annotations: z.array(z.looseObject({ type: z.string() })) }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
  z.looseObject({ type: z.literal('reasoning_text'), text: z.string() }),
]);
const status = z.enum(['in_progress', 'completed', 'incomplete', 'searching', 'failed']);
const outputItem = nameReply(
  'ResponsesOutputItem',
  z.union([
    z.looseObject({ type: z.literal('message'), id: z.string(), role: z.literal('assistant'), status, content: z.array(outputPart) }),
    z.looseObject({ type: z.literal('function_call'), id: text, call_id: z.string(), name: z.string(), arguments: z.string() }),
    z.looseObject({ type: z.literal('custom_tool_call'), id: text, call_id: z.string(), name: z.string(), input: z.string() }),
    z.looseObject({ type: z.literal('reasoning'), id: text, summary: z.array(z.looseObject({ type: z.string(), text: z.string() })) }),
    z.looseObject({ type: z.literal('web_search_call'), id: z.string(), status }),
    z
      .looseObject({ type: z.string().regex(/^(?!(?:message|function_call|custom_tool_call|reasoning|web_search_call)$)/) })
      .describe('Items of tools that a vendor runs.'),
  ]),
);

const responseError = z.looseObject({ code: z.string().nullish(), message: z.string() });

/** The response object: a whole reply, and what the first and last events of a stream carry. */
export const response = nameReply(
  'Response',
  z.looseObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.number(),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed', 'queued', 'cancelled']),
    error: responseError.nullish(),
    incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
    model: z.string(),
    output: z.array(outputItem),
    usage: responsesUsage.nullish().describe('Null until the reply is over.'),
  }),
);

const numbered = { sequence_number: count };
const inItem = { ...numbered, item_id: z.string(), output_index: count };
const inContent = { ...inItem, content_index: count };
const inSummary = { ...inItem, summary_index: count };

function event<Members extends z.core.$ZodLooseShape>(type: string, members: Members) {
  return [type, z.looseObject({ type: z.literal(type), ...members })] as const;
}

const withResponse = { ...numbered, response };
const withItem = { ...numbered, output_index: count, item: outputItem };
const withPart = { ...inContent, part: outputPart };
const inSearch = inItem;

/** The events of a responses stream, by name. A vendor's own tools add further `response.*` events. */
export const responsesEvents = nameEvents('ResponsesEvent', [
  event('response.created', withResponse),
  event('response.in_progress', withResponse),
  event('response.completed', withResponse),
  event('response.incomplete', withResponse),
  event('response.failed', withResponse),
  event('response.output_item.added', withItem),
  event('response.output_item.done', withItem),
  event('response.content_part.added', withPart),
  event('response.content_part.done', withPart),
  event('response.output_text.delta', { ...inContent, delta: z.string() }),
  event('response.output_text.annotation.added', { ...inContent, annotation_index: count, annotation: z.looseObject({}) }),
  event('response.output_text.done', { ...inContent, text: z.string() }),
  event('response.refusal.delta', { ...inContent, delta: z.string() }),
  event('response.refusal.done', { ...inContent, refusal: z.string() }),
  event('response.function_call_arguments.delta', { ...inItem, delta: z.string() }),
  event('response.function_call_arguments.done', { ...inItem, arguments: z.string() }),
  event('response.custom_tool_call_input.delta', { ...inItem, delta: z.string() }),
  event('response.custom_tool_call_input.done', { ...inItem, input: z.string() }),
  event('response.reasoning_summary_part.added', { ...inSummary, part: z.looseObject({ type: z.string() }) }),
  event('response.reasoning_summary_part.done', { ...inSummary, part: z.looseObject({ type: z.string() }) }),
  event('response.reasoning_summary_text.delta', { ...inSummary, delta: z.string() }),
  event('response.reasoning_summary_text.done', { ...inSummary, text: z.string() }),
  event('response.reasoning_text.delta', { ...inContent, delta: z.string() }),
  event('response.reasoning_text.done', { ...inContent, text: z.string() }),
  event('response.web_search_call.in_progress', inSearch),
  event('response.web_search_call.searching', inSearch),
  event('response.web_search_call.completed', inSearch),
  event('error', { ...numbered, code: text, message: z.string() }),
]);

export const inputTokensReply = nameReply(
  'InputTokensReply',
  z.looseObject({ object: z.literal('response.input_tokens'), input_tokens: count }),
);
