import { z } from 'zod';
import { nameReply, nameRequest } from '../named-schemas';
import { chatUsage } from './chat-completions-reply';
import { flag, metadata, modelId, text } from './shared-fields';

const count = z.int().min(0);

/** Body of `POST /v1/completions`. */
export const completionRequest = nameRequest(
  'CompletionRequest',
  z.looseObject({
    model: modelId.optional().describe('Without it, the model the operator set as `DEFAULT_CHAT_MODEL`.'),
    prompt: z.union([z.string(), z.array(z.string()).length(1)]).describe('One text. It is sent to a chat model as the message of a user.'),
    stream: flag.describe('Server-sent events instead of one reply.'),
    stream_options: z
      .looseObject({ include_usage: flag.describe('Adds a last chunk without choices that has usage and `cost`.') })
      .nullish(),
    max_tokens: z.int().min(1).nullish().describe('16 where it is absent, as at the vendor.'),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    n: z.int().min(1).max(128).nullish(),
    stop: z.union([z.string(), z.array(z.string())]).nullish(),
    presence_penalty: z.number().min(-2).max(2).nullish(),
    frequency_penalty: z.number().min(-2).max(2).nullish(),
    logit_bias: z.record(z.string(), z.number().nullable()).nullish(),
    seed: z.int().nullish(),
    user: text,
    best_of: z.literal(1).nullish(),
    echo: z.literal(false).nullish(),
    suffix: z.literal('').nullish(),
    logprobs: z.literal(false).nullish(),
    ...metadata,
  }),
);

const members = { id: z.string(), object: z.literal('text_completion'), created: count, model: z.string(), system_fingerprint: text };
const choice = { text: z.string(), index: count, logprobs: z.null() };
const finishReason = z.string().describe('`stop`, `length` or `content_filter`.');

/** A whole reply of the older completions. */
export const completion = nameReply(
  'Completion',
  z.looseObject({ ...members, choices: z.array(z.looseObject({ ...choice, finish_reason: finishReason })), usage: chatUsage }),
);

/** One event of their stream. */
export const completionChunk = nameReply(
  'CompletionChunk',
  z.looseObject({
    ...members,
    choices: z.array(z.looseObject({ ...choice, finish_reason: finishReason.nullable() })),
    usage: chatUsage.optional().describe('In the last chunk, for requests with `stream_options.include_usage`.'),
  }),
);
