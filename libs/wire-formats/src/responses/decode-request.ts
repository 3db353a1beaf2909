import { visitTools, type ChatRequest, type ChatTurn, type ReasoningOptions, type ResponseFormat } from '@weir/canonical';
import { collectUnmapped } from '../fields/collect-unmapped';
import { decodeEffort } from '../fields/decode-effort';
import { decodePlainFields } from '../fields/decode-plain-fields';
import { listKnownFields } from '../fields/known-fields';
import { withSecondUser } from '../fields/with-second-user';
import { decodeJsonSchemaFormat } from '../fields/decode-json-schema-format';
import { dropAbsent } from '../fields/drop-absent';
import {
  findBoolean,
  findNumber,
  findObject,
  findString,
  findStrings,
  isObject,
  readName,
  refuseField,
  type JsonObject,
} from '../fields/field-readers';
import { decodeResponsesInput } from './decode-input';
import { decodeResponsesToolChoice } from './decode-tool-choice';
import { decodeResponsesTools } from './decode-tools';
import { isSearchByCaller, TOOL_SEARCH } from './tool-namespace';

const KNOWN = listKnownFields('responses', {
  top: [
    ...['instructions', 'stream_options', 'include', 'client_metadata', 'background'],
    ...['previous_response_id', 'conversation', 'prompt'],
  ],
  inside: {
    reasoning: ['summary', 'generate_summary'],
    tools: ['type', 'name', 'description', 'parameters', 'strict', 'format', 'cache_control', 'prompt_cache_breakpoint'],
  },
});

/** Fields that point to something stored on the other side: leaving them out would lose part of the conversation. */
const STORED: readonly (readonly [string, string])[] = [
  ['previous_response_id', 'is not available here, because replies are not stored: send the whole conversation in input'],
  ['conversation', 'is not available here, because conversations are not stored: send the whole conversation in input'],
  ['prompt', 'is not available here, because prompts are not stored: send its text in instructions and input'],
];

export function decodeResponsesRequest(body: Record<string, unknown>): ChatRequest {
  const model = readName(body['model'], 'model');
  refuseStored(body);
  const include = findStrings(body, 'include') ?? [];
  return {
    model,
    turns: [...decodeInstructions(body), ...decodeResponsesInput(body['input'])],
    stream: findBoolean(body, 'stream') ?? false,
    ...decodePlainFields(body, 'responses'),
    ...dropAbsent({
      topLogprobs: decodeLogprobs(body, include),
      tools: decodeResponsesTools(body),
      toolChoice: decodeResponsesToolChoice(body['tool_choice']),
      hasParallelTools: findBoolean(body, 'parallel_tool_calls'),
      responseFormat: decodeFormat(body),
      reasoning: decodeReasoning(body, include),
      unmapped: withToolSearch(body, withSecondUser(body, collectUnmapped(withoutDefaults(body), KNOWN))),
    }),
  };
}

/** All tools are offered from the beginning, so nothing is deferred, and the provider has nothing to search. */
function withToolSearch(body: JsonObject, unmapped: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  let searched = unmapped;
  visitTools(body, (tool) => {
    if (tool['type'] === TOOL_SEARCH && !isSearchByCaller(tool)) searched = { ...searched, 'tools.tool_search': true };
    if (tool['defer_loading'] === true) searched = { ...searched, 'tools.defer_loading': true };
  });
  return searched;
}

function refuseStored(body: JsonObject): void {
  for (const [field, problem] of STORED) {
    if (body[field] !== undefined && body[field] !== null) refuseField(field, problem);
  }
  if (findBoolean(body, 'background') === true) refuseField('background', 'must be false here: replies are not stored to be fetched later');
}

function decodeInstructions(body: JsonObject): ChatTurn[] {
  const text = findString(body, 'instructions');
  return text === undefined || text === '' ? [] : [{ role: 'system', content: [{ type: 'text', text }] }];
}

function decodeLogprobs(body: JsonObject, include: readonly string[]): number | undefined {
  const top = findNumber(body, 'top_logprobs', { min: 0, max: 20, isInteger: true });
  return include.includes('message.output_text.logprobs') ? (top ?? 0) : top === 0 ? undefined : top;
}

function decodeFormat(body: JsonObject): ResponseFormat | undefined {
  const text = findObject(body, 'text');
  const format = text === undefined ? undefined : findObject(text, 'format', 'text');
  if (format === undefined) return undefined;
  switch (format['type']) {
    case 'text':
      return { kind: 'text' };
    case 'json_object':
      return { kind: 'json' };
    case 'json_schema':
      return decodeJsonSchemaFormat(format, 'text.format');
    default:
      return refuseField('text.format.type', 'must be "text", "json_object" or "json_schema"');
  }
}

function decodeReasoning(body: JsonObject, include: readonly string[]): ReasoningOptions | undefined {
  const reasoning = findObject(body, 'reasoning') ?? {};
  const asked = reasoning['effort'];
  const options = dropAbsent({
    effort: asked === undefined || asked === null ? undefined : decodeEffort(asked, 'reasoning.effort'),
    summary: decodeSummary(findString(reasoning, 'summary', 'reasoning') ?? findString(reasoning, 'generate_summary', 'reasoning')),
    wantsState: include.includes('reasoning.encrypted_content') ? true : undefined,
  });
  return Object.keys(options).length === 0 ? undefined : options;
}

function decodeSummary(summary: string | undefined): ReasoningOptions['summary'] {
  if (summary === undefined || summary === 'auto' || summary === 'concise' || summary === 'detailed') return summary;
  return refuseField('reasoning.summary', 'must be "auto", "concise" or "detailed"');
}

/** Spelled-out defaults ask for nothing, so leaving them out loses nothing. */
function withoutDefaults(body: JsonObject): JsonObject {
  const rest: Record<string, unknown> = { ...body };
  if (rest['store'] === false) delete rest['store'];
  if (rest['truncation'] === 'disabled') delete rest['truncation'];
  if (isObject(rest['metadata']) && Object.keys(rest['metadata']).length === 0) delete rest['metadata'];
  return rest;
}
