import { limitsQuery } from '@weir/contracts';
import { EXAMPLE_IDS } from './example-ids';
import type { Example, Operation } from './operation';
import { CHAT_HEADERS } from './operation';
import { chatCompletion, chatCompletionChunk } from '../schemas/gateway/chat-completions-reply';
import { chatCompletionRequest } from '../schemas/gateway/chat-completions-request';
import { completion, completionChunk, completionRequest } from '../schemas/gateway/completions';
import { streamError } from '../schemas/gateway/errors';
import { estimateReply } from '../schemas/gateway/estimate';
import { bindingLimits } from '../schemas/gateway/limits';
import { countTokensReply, message, messagesEvents } from '../schemas/gateway/messages-reply';
import { countTokensRequest, messagesRequest } from '../schemas/gateway/messages-request';
import { planReply, planRequest } from '../schemas/gateway/plan';
import { inputTokensReply, response, responsesEvents } from '../schemas/gateway/responses-reply';
import { inputTokensRequest, responsesRequest } from '../schemas/gateway/responses-request';
import { estimateRequest } from '../schemas/gateway/estimate-request';

const model = 'sandbox/chat';
const weather = {
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const SCHEMA = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'], additionalProperties: false };

function example(summary: string, body: object): Example {
  return { summary, body, status: 200 };
}

export const CHAT_OPERATIONS: readonly Operation[] = [
  {
    id: 'chat-completions',
    tag: 'Chat',
    summary: 'Chat completions',
    about:
      'Without `model`, the operator’s default model. `usage.cost` is the exact cost; a stream has it in its last chunk if the request sets `stream_options.include_usage`.',
    body: chatCompletionRequest,
    responses: {
      200: {
        about: 'The whole response, or server-sent events with `stream`.',
        json: chatCompletion,
        events: { about: 'Chunks without names; the end is `data: [DONE]`.', unnamed: [chatCompletionChunk, streamError] },
        headers: CHAT_HEADERS,
      },
    },
    examples: [
      example('A question', { model, messages: [{ role: 'user', content: 'Hello, Weir!' }] }),
      example('A stream that reports its cost', {
        model,
        stream: true,
        stream_options: { include_usage: true },
        messages: [{ role: 'user', content: 'Hello, Weir!' }],
        weir: { user_id: 'user-7', tags: ['docs'], extra: { feature: 'search' } },
      }),
      example('A tool', {
        model,
        tool_choice: 'required',
        tools: [{ type: 'function', function: weather }],
        messages: [{ role: 'user', content: 'What is the weather in Graz?' }],
      }),
      example('An image, and a reply as JSON', {
        model,
        response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA, strict: true } },
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?' },
              {
                type: 'image_url',
                image_url: {
                  url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
                },
              },
            ],
          },
        ],
      }),
    ],
  },
  {
    id: 'completions',
    tag: 'Chat',
    summary: 'Completions (legacy)',
    about:
      'The older dialect of code editors, served by chat models: the prompt becomes a user message. What a chat model cannot do is refused with a 400 that names the field: `suffix`, `echo`, `logprobs`, `best_of` above 1, several prompts, prompts of tokens.',
    body: completionRequest,
    responses: {
      200: {
        about: 'The whole response, or server-sent events with `stream`.',
        json: completion,
        events: { about: 'Chunks without names; the end is `data: [DONE]`.', unnamed: [completionChunk, streamError] },
        headers: CHAT_HEADERS,
      },
    },
    examples: [
      example('A prompt', { model, prompt: 'Hello, Weir!', max_tokens: 64 }),
      example('A stream that reports its cost', { model, prompt: 'Hello, Weir!', stream: true, stream_options: { include_usage: true } }),
    ],
  },
  {
    id: 'responses',
    tag: 'Chat',
    summary: 'Responses',
    about:
      'The gateway stores no replies: send the whole conversation as `input`. What a provider stores can be named where the provider itself speaks this dialect (`previous_response_id`, `conversation`, `prompt`), and is refused with 400 elsewhere. The last event of a stream carries the whole response with its cost. The same path with an upgrade to WebSocket takes one `response.create` after the other, and there the last response of the connection can be named on every model.',
    body: responsesRequest,
    responses: {
      200: {
        about: 'The whole response, or server-sent events with `stream`.',
        json: response,
        events: { about: 'Numbered events; the last one is `response.completed`, `.incomplete` or `.failed`.', named: responsesEvents },
        headers: CHAT_HEADERS,
      },
    },
    examples: [
      example('A question', { model, input: 'Hello, Weir!' }),
      example('A stream', { model, stream: true, instructions: 'Be brief.', input: [{ role: 'user', content: 'Hello, Weir!' }] }),
      example('A tool', {
        model,
        stream: true,
        tool_choice: 'required',
        tools: [{ type: 'function', strict: false, ...weather }],
        input: 'What is the weather in Graz?',
      }),
    ],
  },
  {
    id: 'messages',
    tag: 'Chat',
    summary: 'Messages',
    about:
      'Errors have the envelope of this dialect. A stream has its usage and cost in `message_delta`. Headers that choose a version or previews of the dialect (`…-version`, `…-beta`) are passed on to a provider that speaks it.',
    body: messagesRequest,
    responses: {
      200: {
        about: 'The whole message, or server-sent events with `stream`.',
        json: message,
        events: { about: 'Blocks one after another between `message_start` and `message_stop`.', named: messagesEvents },
        headers: CHAT_HEADERS,
      },
    },
    examples: [
      example('A question', { model, max_tokens: 256, messages: [{ role: 'user', content: 'Hello, Weir!' }] }),
      example('A stream', { model, max_tokens: 256, stream: true, system: 'Be brief.', messages: [{ role: 'user', content: 'Hello!' }] }),
      example('A tool', {
        model,
        max_tokens: 256,
        stream: true,
        tool_choice: { type: 'any' },
        tools: [{ name: weather.name, description: weather.description, input_schema: weather.parameters }],
        messages: [{ role: 'user', content: 'What is the weather in Graz?' }],
      }),
    ],
  },
  {
    id: 'count-tokens',
    tag: 'Chat',
    summary: 'Count the tokens of a messages body',
    about: 'The provider’s own count where it offers one in this dialect, otherwise an estimate. Nothing is billed.',
    body: countTokensRequest,
    responses: {
      200: {
        about: 'The count.',
        json: countTokensReply,
        headers: ['x-weir-model', 'x-weir-provider', 'x-weir-attempts', 'x-weir-count-source'],
      },
    },
    examples: [example('A question', { model, messages: [{ role: 'user', content: 'Hello, Weir!' }] })],
  },
  {
    id: 'count-input-tokens',
    tag: 'Chat',
    summary: 'Count the tokens of a responses body',
    about: 'The provider’s own count where it offers one in this dialect, otherwise an estimate. Nothing is billed.',
    body: inputTokensRequest,
    responses: {
      200: {
        about: 'The count.',
        json: inputTokensReply,
        headers: ['x-weir-model', 'x-weir-provider', 'x-weir-attempts', 'x-weir-count-source'],
      },
    },
    examples: [example('A question', { model, instructions: 'Be brief.', input: 'Hello, Weir!' })],
  },
  {
    id: 'estimate',
    tag: 'Chat',
    summary: 'What a request would cost at most',
    about:
      'Send the JSON body that you would send to the model’s own endpoint: its `model` decides how it is read. The estimate is made by the code that admits requests; nothing is sent to a provider and no money is set aside. For a request that would be refused the response is still 200, with the reason in `refusal`.',
    body: estimateRequest,
    responses: { 200: { about: 'The estimate.', json: estimateReply } },
    examples: [
      example('A chat completion', { model, max_tokens: 100, messages: [{ role: 'user', content: 'Hello, Weir!' }] }),
      example('Pictures', { model: 'sandbox/image', prompt: 'a red kite', n: 2 }),
      example('A transcription', { model: 'sandbox/transcription', seconds: 63 }),
      example('A model that is not there', { model: 'unknown/model', input: 'Hello, Weir!' }),
    ],
  },
  {
    id: 'plan',
    tag: 'Routing',
    summary: 'What would happen to a request now',
    about: [
      'Where a request would go, in which order and why, what is left out of it and why, and the limits that bind it. It is made by the process that would admit the request, with the code that admits requests; nothing is sent to a provider, set aside, counted or kept.',
      'A key plans its own requests; administrators name any key of their organization by `api_key_id`. For a request that would be refused the response is still 200, with the reason in `refusal`.',
      'Where a policy chooses by chance (`weighted` without `sticky_by`, and now and then `latency`), the next request may go another way: `orders` has the weights. What becomes of a request after it is sent is not planned: a provider may fail, or have no word for one of its fields.',
    ].join(' '),
    body: planRequest,
    responses: { 200: { about: 'The plan.', json: planReply } },
    errors: ['permission_denied', 'not_found'],
    examples: [
      example('The same request, not sent', { body: { model, max_tokens: 100, messages: [{ role: 'user', content: 'Hello, Weir!' }] } }),
      example('A policy, by another key, under another rule', {
        api_key_id: EXAMPLE_IDS.apiKey,
        endpoint: 'chat-completions',
        headers: { 'x-weir-data-policy': 'zero-retention' },
        body: { model: `policy/${EXAMPLE_IDS.policy}`, messages: [{ role: 'user', content: 'Hello, Weir!' }] },
      }),
    ],
  },
  {
    id: 'limits',
    tag: 'Routing',
    summary: 'Limits that bind this key, and how full they are',
    about: [
      'Every limit that a request of the calling key would have to fit now: those of the table of limits, and those that are settings of the key, its group, its member and the organization. `user` adds those for each end user apart, `model` leaves out those that are not about the model. `api_key_id` shows those of another key of the same member, or, to administrators, of any key.',
      'Amounts are those of all processes together, at this moment; what is held for requests that run counts as used.',
    ].join(' '),
    query: limitsQuery,
    responses: { 200: { about: 'The limits, settings first.', json: bindingLimits } },
    errors: [
      'invalid_request',
      'unsupported_field',
      'permission_denied',
      'not_found',
      'model_not_found',
      'model_not_allowed',
      'provider_not_configured',
      'data_policy',
    ],
    examples: [
      { summary: 'All of them', status: 200 },
      { summary: 'Those that bind a model and an end user', query: { model: 'sandbox/chat', user: 'u-1' }, status: 200 },
    ],
  },
];
