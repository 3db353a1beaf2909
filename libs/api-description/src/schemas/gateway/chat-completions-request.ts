import { z } from 'zod';
import { nameRequest } from '../named-schemas';
import { anyObject, cacheMark, effort, fileFields, flag, metadata, modelId, name, searchOptions, text } from './shared-fields';

const textPart = z.looseObject({ type: z.literal('text'), text: z.string(), ...cacheMark });
const imagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.union([z.string(), z.looseObject({ url: z.string().describe('An http(s) address or a base64 data URL.'), detail: text })]),
  ...cacheMark,
});
const audioPart = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ data: name.describe('Base64 without a data URL prefix.'), format: name }),
});
const filePart = z.looseObject({
  type: z.enum(['file', 'input_file']),
  file: z.looseObject(fileFields).nullish(),
  input_file: z.looseObject(fileFields).nullish(),
  ...fileFields,
  ...cacheMark,
});
const contentPart = nameRequest('ChatContentPart', z.union([textPart, imagePart, audioPart, filePart]));
const content = z.union([z.string(), z.array(contentPart)]);

const functionCall = z.looseObject({ name, arguments: text });
const toolCall = z.union([
  z.looseObject({ id: name, type: z.literal('function').optional(), function: functionCall }),
  z.looseObject({ id: name, type: z.literal('custom'), custom: z.looseObject({ name, input: z.string() }) }),
]);
const reasoningDetail = z.looseObject({ text, summary: text, data: text, signature: text });

const saidPart = z.union([textPart, z.looseObject({ type: z.literal('refusal'), refusal: z.string() })]);
const assistantMessage = z.looseObject({
  role: z.literal('assistant'),
  name: text,
  content: z.union([z.string(), z.array(saidPart)]).nullish(),
  refusal: text,
  tool_calls: z.array(toolCall).nullish(),
  function_call: functionCall.nullish(),
  reasoning_content: text,
  reasoning: text,
  images: z
    .array(z.looseObject({}))
    .nullish()
    .describe('Pictures of an earlier reply. Providers that cannot take them back leave them out, and the reply reports it.'),
  reasoning_details: z
    .array(reasoningDetail)
    .nullish()
    .describe('Thinking of an earlier reply, sent back as it came: it holds what a provider needs to go on.'),
});
const message = nameRequest(
  'ChatMessage',
  z.union([
    z.looseObject({ role: z.enum(['system', 'developer', 'user']), name: text, content }),
    assistantMessage,
    z.looseObject({ role: z.literal('tool'), tool_call_id: name, content, ...cacheMark }),
    z.looseObject({ role: z.literal('function'), name: z.string(), content: content.nullable() }),
  ]),
);

const functionTool = z.looseObject({ name, description: text, parameters: anyObject.nullish(), strict: flag, ...cacheMark });
const tool = nameRequest(
  'ChatTool',
  z.union([
    z.looseObject({ type: z.literal('function'), function: functionTool, ...cacheMark }),
    z.looseObject({ type: z.literal('custom'), custom: z.looseObject({ name, description: text }) }),
    z.looseObject({ type: z.enum(['web_search', 'web_search_preview']), ...searchOptions }),
  ]),
  'A web search is translated to what each provider has for it.',
);
const named = z.looseObject({ name });
const allowedTool = z.union([
  z.looseObject({ type: z.literal('custom'), custom: named }),
  z.looseObject({ type: z.literal('web_search') }),
  z.looseObject({ function: named }),
]);
const toolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.looseObject({ type: z.literal('function'), function: named }),
  z.looseObject({ type: z.literal('custom'), custom: named }),
  z.looseObject({
    type: z.literal('allowed_tools'),
    allowed_tools: z.looseObject({ mode: z.enum(['auto', 'required']), tools: z.array(allowedTool) }),
  }),
]);
const jsonSchema = z.looseObject({ name: text, description: text, schema: anyObject, strict: flag });
const responseFormat = z.union([
  z.looseObject({ type: z.enum(['text', 'json_object']) }),
  z.looseObject({ type: z.literal('json_schema'), json_schema: jsonSchema }),
]);

/** Body of `POST /v1/chat/completions`. Fields without a word here go to a provider of the same dialect as they are. */
export const chatCompletionRequest = nameRequest(
  'ChatCompletionRequest',
  z.looseObject({
    model: modelId.optional().describe('Without it, the model the operator set as `DEFAULT_CHAT_MODEL`.'),
    messages: z.array(message).min(1),
    stream: flag.describe('Server-sent events instead of one reply.'),
    stream_options: z
      .looseObject({ include_usage: flag.describe('Adds a last chunk without choices that has usage and `cost`.') })
      .nullish(),
    max_completion_tokens: z.int().min(1).nullish(),
    max_tokens: z.int().min(1).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    top_k: z.int().min(0).nullish(),
    n: z.int().min(1).max(128).nullish(),
    stop: z.union([z.string(), z.array(z.string())]).nullish(),
    presence_penalty: z.number().min(-2).max(2).nullish(),
    frequency_penalty: z.number().min(-2).max(2).nullish(),
    logit_bias: z.record(z.string(), z.number().nullable()).nullish(),
    logprobs: flag,
    top_logprobs: z.int().min(0).max(20).nullish(),
    seed: z.int().nullish(),
    tools: z.array(tool).nullish(),
    tool_choice: toolChoice.nullish(),
    functions: z.array(functionTool).nullish().describe('The older form of `tools`; not looked at beside it.'),
    function_call: z.union([z.enum(['auto', 'none']), named]).nullish(),
    parallel_tool_calls: flag,
    response_format: responseFormat.nullish(),
    thinking: z
      .looseObject({ type: z.enum(['enabled', 'adaptive', 'between_tools', 'disabled']), budget_tokens: z.int().min(1).optional() })
      .nullish()
      .describe('Thinking in the words of the messages dialect; for models that speak it, and the nearest that others have.'),
    reasoning_effort: z
      .union([effort, z.int().min(0), z.string().regex(/^\d{1,9}$/)])
      .nullish()
      .describe('A number, also as text, is a budget of reasoning tokens.'),
    verbosity: text,
    web_search_options: z.looseObject(searchOptions).nullish(),
    service_tier: text,
    user: text,
    safety_identifier: text,
    prompt_cache_key: text,
    ...cacheMark,
    ...metadata,
  }),
);
