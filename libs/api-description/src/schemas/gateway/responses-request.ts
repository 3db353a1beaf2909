import { z } from 'zod';
import { nameRequest } from '../named-schemas';
import { anyObject, cacheMark, effort, fileFields, flag, metadata, modelId, name, searchOptions, text } from './shared-fields';

const textPart = z.looseObject({
  type: z.enum(['input_text', 'output_text', 'text']),
  text: z.string(),
  annotations: z.array(z.unknown()).nullish(),
  ...cacheMark,
});
const refusalPart = z.union([
  z.looseObject({ type: z.enum(['refusal', 'output_refusal']), refusal: z.string() }),
  z.looseObject({ type: z.enum(['refusal', 'output_refusal']), text: z.string(), refusal: z.null().optional() }),
]);
const imagePart = z.looseObject({
  type: z.literal('input_image'),
  image_url: text.describe('An http(s) address or a base64 data URL; needed unless there is a `file_id`.'),
  file_id: text,
  detail: text,
  ...cacheMark,
});
const filePart = z.looseObject({ type: z.literal('input_file'), ...fileFields, ...cacheMark });
const part = nameRequest('ResponsesContentPart', z.union([textPart, refusalPart, imagePart, filePart]));
const content = z.union([z.string(), z.array(part)]);

const message = z.looseObject({
  type: z.literal('message').nullish(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content,
});
const functionTool = z.looseObject({
  type: z.literal('function'),
  name,
  description: text,
  parameters: anyObject.nullish(),
  strict: flag,
  ...cacheMark,
});
const customTool = z.looseObject({ type: z.literal('custom'), name, description: text });
const tool = nameRequest(
  'ResponsesTool',
  z.union([
    functionTool,
    customTool,
    z.looseObject({ type: z.literal('namespace'), name, tools: z.array(z.union([functionTool, customTool])) }),
    z.looseObject({ type: z.string().regex(/^web_search(?:_preview)?(?:_\d{4}_\d{2}_\d{2})?$/), ...searchOptions }),
    z
      .looseObject({
        type: z.literal('tool_search'),
        execution: z.enum(['server', 'client']).nullish(),
        description: text,
        parameters: anyObject.nullish(),
      })
      .describe('Where the model’s provider does not speak this dialect, all tools are offered from the beginning, deferred ones too.'),
    z
      .looseObject({
        type: z.enum([
          'file_search',
          'computer',
          'computer_use',
          'computer_use_preview',
          'mcp',
          'code_interpreter',
          'image_generation',
          'local_shell',
          'shell',
          'apply_patch',
          'programmatic_tool_calling',
        ]),
      })
      .describe('Run by the vendor that has it; refused by name on any other.'),
  ]),
);
const call = { call_id: name, name, namespace: text };
const thoughts = z.array(z.looseObject({ text: z.string() })).nullish();
const item = nameRequest(
  'ResponsesInputItem',
  z.union([
    message,
    z.looseObject({ type: z.literal('function_call'), ...call, arguments: z.string().describe('JSON text.') }),
    z.looseObject({ type: z.literal('custom_tool_call'), ...call, input: z.string() }),
    z.looseObject({ type: z.enum(['function_call_output', 'custom_tool_call_output']), call_id: name, output: content }),
    z.looseObject({ type: z.literal('reasoning'), summary: thoughts, content: thoughts, encrypted_content: text }),
    z.looseObject({
      type: z.literal('web_search_call'),
      id: text,
      action: z.looseObject({ query: text, sources: z.array(z.unknown()).nullish() }).nullish(),
    }),
    z.looseObject({ type: z.literal('additional_tools'), tools: z.array(tool) }).describe('More tools for the model.'),
    z.looseObject({ type: z.literal('tool_search_call'), call_id: name.nullish(), arguments: z.unknown().optional() }),
    z
      .looseObject({ type: z.literal('tool_search_output'), call_id: name.nullish(), tools: z.array(tool) })
      .describe('What a search among the tools has found: it is offered to the model.'),
    z
      .looseObject({
        type: z
          .string()
          .regex(
            /^(?:(?:file_search|computer|image_generation|code_interpreter|local_shell|shell|apply_patch|mcp)_call|mcp_list_tools|mcp_approval_request|compaction|program|(?:computer|local_shell|shell|apply_patch)_call_output|mcp_approval_response|program_output)$/,
          ),
      })
      .describe('What a vendor’s own tools did: it goes back to where it came from.'),
  ]),
);

const chosenSearch = z.looseObject({ type: z.string().regex(/^web_search/) });
const chosen = z.union([chosenSearch, z.looseObject({ name, namespace: text })]);
const toolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.looseObject({ type: z.enum(['function', 'custom']), name, namespace: text }),
  z.looseObject({ type: z.literal('allowed_tools'), mode: z.enum(['auto', 'required']), tools: z.array(chosen) }),
  chosenSearch,
]);
const format = z.union([
  z.looseObject({ type: z.enum(['text', 'json_object']) }),
  z.looseObject({ type: z.literal('json_schema'), name: text, description: text, schema: anyObject, strict: flag }),
]);
const summary = z.enum(['auto', 'concise', 'detailed']).nullish();

const elsewhere = 'Only where the model’s provider speaks this dialect itself and keeps such things; 400 elsewhere.';
const stored = z.looseObject({ id: name });

const input = z.union([z.string(), z.array(item).min(1)]);
const fields = {
  model: modelId,
  instructions: text,
  stream: flag,
  max_output_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: flag,
  text: z.looseObject({ format: format.nullish(), verbosity: text }).nullish(),
  reasoning: z.looseObject({ effort: effort.nullish(), summary, generate_summary: summary }).nullish(),
  include: z.array(z.string()).nullish(),
  service_tier: text,
  user: text,
  safety_identifier: text,
  prompt_cache_key: text,
  background: z.literal(false).nullish().describe('No one could fetch the reply later: the gateway stores none.'),
  previous_response_id: name.nullish().describe(elsewhere),
  conversation: z.union([name, stored]).nullish().describe(elsewhere),
  prompt: stored.nullish().describe(elsewhere),
  ...metadata,
};

/**
 * Body of `POST /v1/responses`. The gateway stores nothing: whatever points to something stored goes on to a provider that
 * speaks this dialect, and is refused where the request has to be translated.
 */
export const responsesRequest = nameRequest('ResponsesRequest', z.looseObject({ ...fields, input }));

/** Body of `POST /v1/responses/input_tokens`: a responses body; what it says of the reply is not looked at. */
export const inputTokensRequest = nameRequest('InputTokensRequest', z.looseObject({ ...fields, input: input.nullish() }));
