import { z } from 'zod';
import { nameRequest } from '../named-schemas';
import { anyObject, cacheMark, effort, flag, metadata, modelId, name, searchOptions, text } from './shared-fields';

const textBlock = z.looseObject({ type: z.literal('text'), text: z.string(), citations: z.array(anyObject).nullish(), ...cacheMark });
const textOnly = z.looseObject({ type: z.literal('text'), text: z.string() });
const texts = z.union([z.string(), z.array(textOnly)]);

const base64Source = z.looseObject({ type: z.literal('base64'), media_type: name, data: name });
const urlSource = z.looseObject({ type: z.literal('url'), url: name });
const fileSource = z.looseObject({ type: z.literal('file'), file_id: name });
const imageBlock = z.looseObject({
  type: z.literal('image'),
  source: z.union([base64Source, urlSource, fileSource]),
  ...cacheMark,
});
const hasCitations = z.looseObject({ enabled: flag }).nullish();
const documentBlock = z.looseObject({
  type: z.literal('document'),
  source: z.union([
    base64Source,
    urlSource,
    fileSource,
    z.looseObject({ type: z.literal('text'), media_type: text, data: z.string() }),
    z.looseObject({ type: z.literal('content'), content: texts }),
  ]),
  title: text,
  context: text,
  citations: hasCitations,
  ...cacheMark,
});
const searchResult = z.looseObject({
  type: z.literal('search_result'),
  title: text,
  source: text,
  content: texts,
  citations: hasCitations,
  ...cacheMark,
});
const toolReference = z.looseObject({ type: z.literal('tool_reference'), tool_name: name });
const opaqueBlock = z.looseObject({ type: z.literal('container_upload') });
const resultPart = z.union([textBlock, imageBlock, documentBlock, searchResult, toolReference, opaqueBlock]);
const toolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: name,
  content: z.union([z.string(), z.array(resultPart)]).nullish(),
  is_error: flag,
  ...cacheMark,
});

const foundPage = z.looseObject({ url: z.string(), title: text, page_age: text, encrypted_content: text });
const assistantBlock = z.union([
  textBlock,
  imageBlock,
  documentBlock,
  z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: text }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.looseObject({ type: z.literal('tool_use'), id: name, name, input: anyObject.nullish(), ...cacheMark }),
  z.looseObject({ type: z.literal('server_tool_use'), id: name, name, input: anyObject.nullish() }),
  z.looseObject({
    type: z.literal('web_search_tool_result'),
    tool_use_id: name,
    content: z.union([z.array(foundPage), z.looseObject({ error_code: text })]),
  }),
  z
    .looseObject({ type: z.string().regex(/^(?!web_search_tool_result$)(?:[a-z_]+_tool_result|container_upload|compaction)$/) })
    .describe('Results of tools that a vendor runs.'),
]);
const message = nameRequest(
  'MessagesTurn',
  z.union([
    z.looseObject({ role: z.literal('user'), content: z.union([z.string(), z.array(z.union([resultPart, toolResult]))]) }),
    z.looseObject({ role: z.literal('assistant'), content: z.union([z.string(), z.array(assistantBlock)]) }),
    z.looseObject({ role: z.literal('system'), content: z.union([z.string(), z.array(textBlock)]) }),
  ]),
);

const tool = nameRequest(
  'MessagesTool',
  z.union([
    z.looseObject({
      type: z.literal('custom').nullish(),
      name,
      description: text,
      input_schema: anyObject.nullish(),
      strict: flag,
      ...cacheMark,
    }),
    z.looseObject({ type: z.string().regex(/^web_search_\d{8}$/), ...searchOptions }),
    z
      .looseObject({ type: z.string().regex(/^tool_search_tool_(?:regex|bm25)(?:_\d{8})?$/) })
      .describe('Where the model’s provider does not speak this dialect, all tools are offered from the beginning, deferred ones too.'),
    z.looseObject({ type: z.string().regex(/^(?!web_search_\d{8}$)[a-z][a-z0-9_]*_\d{8}$/) }).describe('A tool that a vendor runs.'),
  ]),
);
const toolChoice = z.union([
  z.enum(['auto', 'any', 'none']),
  z.looseObject({ type: z.enum(['auto', 'any', 'none']), disable_parallel_tool_use: flag }),
  z.looseObject({ type: z.literal('tool'), name, disable_parallel_tool_use: flag }),
]);
const schemaFormat = z.looseObject({ type: z.literal('json_schema'), schema: anyObject });

const fields = {
  model: modelId,
  messages: z.array(message).min(1),
  system: z.union([z.string(), z.array(textBlock)]).nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  thinking: z
    .looseObject({
      type: z.enum(['enabled', 'adaptive', 'between_tools', 'disabled']),
      budget_tokens: z.int().min(1).nullish(),
    })
    .nullish(),
  stream: flag,
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.int().min(0).nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  metadata: z.looseObject({ user_id: text }).nullish(),
  output_config: z.looseObject({ format: schemaFormat.nullish(), effort: effort.nullish() }).nullish(),
  output_format: schemaFormat.nullish(),
  service_tier: text,
  ...cacheMark,
  ...metadata,
};

/** Body of `POST /v1/messages`. */
export const messagesRequest = nameRequest('MessagesRequest', z.looseObject({ ...fields, max_tokens: z.int().min(1) }));

/** Body of `POST /v1/messages/count_tokens`: a messages body, without a bound of the reply. */
export const countTokensRequest = nameRequest('CountTokensRequest', z.looseObject({ ...fields, max_tokens: z.int().min(1).optional() }));
