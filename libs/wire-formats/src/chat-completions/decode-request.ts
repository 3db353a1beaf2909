import type { ChatRequest, ReasoningEffort, ReasoningOptions, ResponseFormat } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { collectUnmapped } from '../fields/collect-unmapped';
import { decodeJsonSchemaFormat } from '../fields/decode-json-schema-format';
import { decodeEffort } from '../fields/decode-effort';
import { decodeEndUser, withSecondUser } from '../fields/decode-end-user';
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
import { readThinking } from '../fields/read-thinking';
import { decodeCacheMark } from '../fields/decode-cache-mark';
import { decodeChatMessages } from './decode-messages';
import { decodeChatToolChoice } from './decode-tool-choice';
import { decodeChatTools } from './decode-tools';

// prettier-ignore
const KNOWN: ReadonlySet<string> = new Set([
  'model', 'messages', 'stream', 'stream_options', 'max_completion_tokens', 'max_tokens', 'temperature', 'top_p', 'top_k', 'n', 'stop',
  'presence_penalty', 'frequency_penalty', 'logit_bias', 'logprobs', 'top_logprobs', 'seed', 'tools', 'tool_choice', 'functions',
  'function_call', 'parallel_tool_calls', 'response_format', 'reasoning_effort', 'thinking', 'verbosity', 'web_search_options', 'service_tier', 'user',
  'safety_identifier', 'prompt_cache_key', 'cache_control',
]);

const KNOWN_INSIDE = { tools: new Set(['type', 'function', 'custom', 'cache_control', 'prompt_cache_breakpoint']) };

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
    ...decodeSampling(body),
    ...dropAbsent({
      tools: decodeChatTools(body),
      toolChoice: decodeChatToolChoice(body),
      hasParallelTools: isLegacy ? false : findBoolean(body, 'parallel_tool_calls'),
      responseFormat: decodeResponseFormat(body),
      reasoning: decodeReasoning(body),
      verbosity: findString(body, 'verbosity'),
      serviceTier: findString(body, 'service_tier'),
      endUserId: decodeEndUser(body),
      cacheKey: findString(body, 'prompt_cache_key'),
      autoCache: decodeCacheMark({ cache_control: body['cache_control'] }, ''),
      unmapped: withSecondUser(body, collectUnmapped(withoutDefaults(body), KNOWN, KNOWN_INSIDE)),
    }),
  };
}

/** An answer that is spoken exists in this dialect's own words only. */
function refuseSpeech(modalities: unknown): void {
  if (!Array.isArray(modalities) || modalities.every((modality) => modality === 'text')) return;
  const message = 'Any other output than text is not supported by the chosen model\'s provider: modalities must be ["text"].';
  throw new GatewayError('unsupported_field', message, { field: 'modalities' });
}

function decodeSampling(body: JsonObject) {
  return dropAbsent({
    maxOutputTokens:
      findNumber(body, 'max_completion_tokens', { min: 1, isInteger: true }) ?? findNumber(body, 'max_tokens', { min: 1, isInteger: true }),
    temperature: findNumber(body, 'temperature', { min: 0, max: 2 }),
    topP: findNumber(body, 'top_p', { min: 0, max: 1 }),
    topK: findNumber(body, 'top_k', { min: 0, isInteger: true }),
    stop: decodeStop(body),
    seed: findNumber(body, 'seed', { isInteger: true }),
    presencePenalty: findNumber(body, 'presence_penalty', { min: -2, max: 2 }),
    frequencyPenalty: findNumber(body, 'frequency_penalty', { min: -2, max: 2 }),
    logitBias: decodeLogitBias(body),
    topLogprobs: decodeLogprobs(body),
    choices: findNumber(body, 'n', { min: 1, max: 128, isInteger: true }),
  });
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
