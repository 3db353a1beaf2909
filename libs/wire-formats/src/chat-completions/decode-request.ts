import type { ChatRequest, ReasoningEffort, ReasoningOptions, ResponseFormat } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { collectUnmapped } from '../fields/collect-unmapped';
import { decodeJsonSchemaFormat } from '../fields/decode-json-schema-format';
import { decodeEffort } from '../fields/decode-effort';
import { decodePlainFields } from '../fields/decode-plain-fields';
import { dropAbsent } from '../fields/drop-absent';
import {
  findBoolean,
  findNumber,
  findObject,
  findString,
  findStrings,
  isObject,
  readObject,
  refuseField,
  type JsonObject,
} from '../fields/field-readers';
import { listKnownFields } from '../fields/known-fields';
import { readThinking } from '../fields/read-thinking';
import { withSecondUser } from '../fields/with-second-user';
import { decodeCacheMark } from '../fields/decode-cache-mark';
import { decodeChatMessages } from './decode-messages';
import { decodeChatToolChoice } from './decode-tool-choice';
import { decodeChatTools } from './decode-tools';

const KNOWN = listKnownFields('chat-completions', {
  top: ['stream_options', 'top_logprobs', 'functions', 'function_call', 'thinking', 'web_search_options'],
  inside: { tools: ['type', 'function', 'custom', 'cache_control', 'prompt_cache_breakpoint'] },
});

const EFFORTS_BY_BUDGET = /^\d{1,9}$/;

/** `model` may be missing: then it is empty here, and the code that knows the settings fills in the default. */
export function decodeChatRequest(body: Record<string, unknown>): ChatRequest {
  refuseSpeech(body['modalities']);
  const turns = decodeChatMessages(body['messages']);
  const isLegacy = body['functions'] !== undefined && body['functions'] !== null && !Array.isArray(body['tools']);
  return {
    model: findString(body, 'model') ?? '',
    turns,
    stream: findBoolean(body, 'stream') ?? false,
    ...decodePlainFields(body, 'chat-completions'),
    ...dropAbsent({
      stop: decodeStop(body),
      logitBias: decodeLogitBias(body),
      topLogprobs: decodeLogprobs(body),
      tools: decodeChatTools(body),
      toolChoice: decodeChatToolChoice(body),
      hasParallelTools: isLegacy ? false : findBoolean(body, 'parallel_tool_calls'),
      responseFormat: decodeResponseFormat(body),
      reasoning: decodeReasoning(body),
      autoCache: decodeCacheMark({ cache_control: body['cache_control'] }, ''),
      unmapped: withSecondUser(body, collectUnmapped(withoutDefaults(body), KNOWN)),
    }),
  };
}

/** An answer that is spoken exists in this dialect's own words only. */
function refuseSpeech(modalities: unknown): void {
  if (!Array.isArray(modalities) || modalities.every((modality) => modality === 'text')) return;
  const message = 'Any other output than text is not supported by the chosen model\'s provider: modalities must be ["text"].';
  throw new GatewayError('unsupported_field', message, { field: 'modalities' });
}

function decodeStop(body: JsonObject): readonly string[] | undefined {
  const stop = body['stop'];
  return typeof stop === 'string' ? [stop] : findStrings(body, 'stop');
}

function decodeLogitBias(body: JsonObject): Record<string, number> | undefined {
  const bias = findObject(body, 'logit_bias');
  if (bias === undefined) return undefined;
  return Object.fromEntries(Object.keys(bias).map((token) => [token, findNumber(bias, token, { path: 'logit_bias' }) ?? 0]));
}

function decodeLogprobs(body: JsonObject): number | undefined {
  const top = findNumber(body, 'top_logprobs', { min: 0, max: 20, isInteger: true });
  // None, said of what is not asked for, asks for nothing.
  return findBoolean(body, 'logprobs') === true ? (top ?? 0) : top === 0 ? undefined : top;
}

function decodeResponseFormat(body: JsonObject): ResponseFormat | undefined {
  const format = findObject(body, 'response_format');
  if (format === undefined) return undefined;
  switch (format['type']) {
    case 'text':
      return { kind: 'text' };
    case 'json_object':
      return { kind: 'json' };
    case 'json_schema':
      return decodeJsonSchemaFormat(readObject(format['json_schema'], 'response_format.json_schema'), 'response_format.json_schema');
    default:
      return refuseField('response_format.type', 'must be "text", "json_object" or "json_schema"');
  }
}

/** Coding tools ask Claude to think in the words of Messages; an effort beside that says the rest. */
function decodeReasoning(body: JsonObject): ReasoningOptions | undefined {
  const effort = decodeReasoningEffort(body);
  const thinking = findObject(body, 'thinking');
  return thinking === undefined ? effort : { ...effort, ...readThinking(thinking) };
}

/** A number, also as text, is a budget of reasoning tokens. */
function decodeReasoningEffort(body: JsonObject): ReasoningOptions | undefined {
  const asked = body['reasoning_effort'];
  if (asked === undefined || asked === null) return undefined;
  if (typeof asked === 'string' && EFFORTS_BY_BUDGET.test(asked)) return { budgetTokens: Number(asked) };
  if (typeof asked === 'number') return { budgetTokens: findNumber(body, 'reasoning_effort', { min: 0, isInteger: true }) ?? 0 };
  const effort: ReasoningEffort = decodeEffort(asked, 'reasoning_effort');
  return { effort };
}

/** Spelled-out defaults ask for nothing, so leaving them out loses nothing. */
function withoutDefaults(body: JsonObject): JsonObject {
  const isTextOnly = Array.isArray(body['modalities']) && body['modalities'].every((modality) => modality === 'text');
  const hasNoMetadata = isObject(body['metadata']) && Object.keys(body['metadata']).length === 0;
  if (body['store'] !== false && !isTextOnly && !hasNoMetadata) return body;
  const rest: Record<string, unknown> = { ...body };
  if (rest['store'] === false) delete rest['store'];
  if (isTextOnly) delete rest['modalities'];
  if (hasNoMetadata) delete rest['metadata'];
  return rest;
}
