import { z } from 'zod';
import { nameReply } from '../named-schemas';

const count = z.int().min(0);
const text = z.string().nullish();

export const estimated = z
  .literal(true)
  .optional()
  .describe('Present where the counts, and so the cost, are an estimate: the provider reported none, or more than the request explains.');

export const cost = z.number().min(0).describe('USD, printed from an exact decimal: what usage reports and the ledger count.');

export const chatUsage = nameReply(
  'ChatUsage',
  z.looseObject({
    prompt_tokens: count,
    completion_tokens: count,
    total_tokens: count,
    cost,
    estimated,
    prompt_tokens_details: z.looseObject({ cached_tokens: count.nullish(), audio_tokens: count.nullish() }).nullish(),
    completion_tokens_details: z.looseObject({ reasoning_tokens: count.nullish(), audio_tokens: count.nullish() }).nullish(),
  }),
);

const called = z.looseObject({ name: z.string(), arguments: z.string() });
const toolCall = z.union([
  z.looseObject({ id: z.string(), type: z.literal('function'), function: called }),
  z.looseObject({ id: z.string(), type: z.literal('custom'), custom: z.looseObject({ name: z.string(), input: z.string() }) }),
]);
const reasoningDetail = z.looseObject({ type: z.string() });
const annotation = z.looseObject({ type: z.string() });
const images = z
  .array(z.looseObject({ type: z.literal('image_url'), image_url: z.looseObject({ url: z.string() }) }))
  .nullish()
  .describe('Pictures that the model made, as data URLs or addresses.');
/** Beside a finish reason. */
const beside = {
  native_finish_reason: text.describe('The provider’s own word, where `finish_reason` has none that means that.'),
  content_filter_results: z.unknown().optional().describe('What the provider’s filters said of this choice.'),
};
const promptVerdicts = z.unknown().optional().describe('What the provider’s filters said of the prompt.');
const finishReason = z.string().describe('`stop`, `length`, `tool_calls`, `content_filter`, or `function_call` for `functions`.');

/** A whole reply of chat completions. */
export const chatCompletion = nameReply(
  'ChatCompletion',
  z.looseObject({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: count,
    model: z.string(),
    choices: z.array(
      z.looseObject({
        index: count,
        message: z.looseObject({
          role: z.literal('assistant'),
          content: text,
          refusal: text,
          reasoning_content: text,
          reasoning_details: z.array(reasoningDetail).nullish(),
          annotations: z.array(annotation).nullish(),
          images,
          tool_calls: z.array(toolCall).nullish(),
          function_call: called.nullish(),
        }),
        logprobs: z.unknown().optional(),
        finish_reason: finishReason.nullable(),
        stop_reason: z.unknown().optional().describe('The stop sequence that was met, where the provider reports it.'),
        ...beside,
      }),
    ),
    usage: chatUsage,
    prompt_filter_results: promptVerdicts,
    service_tier: text,
    system_fingerprint: text,
  }),
);

const toolCallDelta = z.looseObject({
  index: count,
  id: text,
  type: text,
  function: z.looseObject({ name: text, arguments: text }).nullish(),
  custom: z.looseObject({ name: text, input: text }).nullish(),
});

/** One event of a chat completions stream. */
export const chatCompletionChunk = nameReply(
  'ChatCompletionChunk',
  z.looseObject({
    id: z.string(),
    object: z.literal('chat.completion.chunk'),
    created: count,
    model: z.string(),
    choices: z.array(
      z.looseObject({
        index: count,
        delta: z.looseObject({
          role: text,
          content: text,
          refusal: text,
          reasoning_content: text,
          reasoning_details: z.array(reasoningDetail).nullish(),
          annotations: z.array(annotation).nullish(),
          images,
          tool_calls: z.array(toolCallDelta).nullish(),
          function_call: z.looseObject({ name: text, arguments: text }).nullish(),
        }),
        logprobs: z.unknown().optional(),
        finish_reason: finishReason.nullish(),
        stop_reason: z.unknown().optional().describe('The stop sequence that was met, where the provider reports it.'),
        ...beside,
      }),
    ),
    prompt_filter_results: promptVerdicts,
    usage: chatUsage.nullish().describe('In the last chunk, for requests with `stream_options.include_usage`.'),
  }),
  'Events carry no name. The stream ends with `data: [DONE]`; one that fails in the middle ends with `StreamError` instead.',
);
