import {
  editOriginal,
  readMember,
  stringifyExactJson,
  type ChatRequest,
  type LossReport,
  type OriginalBody,
  type ResponseFormat,
} from '@weir/canonical';
import type { EncodedCall, ExpressCall, ProviderTarget } from '../../provider/target';
import { unsupported } from '../../failures/unsupported';
import { schemaOfFormat } from '../../wire/schema-of-format';
import { asText, parseJson, withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { encodeFields, refuseFields, reportDroppedFields } from '../../fields/field-uses';
import { encodeCache } from './encode-cache';
import { encodeThinking } from './encode-thinking';
import { encodeToolChoice, encodeTools } from './encode-tools';
import { encodeTurns } from './encode-turns';
import { findModelAge } from './model-age';
import type { EncodeContext } from './context';
import { FIELDS, listRefused } from './fields';

const PATH = '/messages';
const MAX_TOKENS_UNKNOWN = 4096;

/** A request as the Messages API takes it. */
export function encodeRequest(request: ChatRequest, context: EncodeContext): EncodedCall {
  const { target, losses } = context;
  refuseFields(request, FIELDS);
  const maxTokens = request.maxOutputTokens ?? target.model.maxOutputTokens ?? MAX_TOKENS_UNKNOWN;
  const { system, messages } = encodeTurns(request.turns, context);
  const thinking = encodeThinking(request, { family: context.family, target, losses, maxTokens });
  const format = encodeFormat(request.responseFormat, system, context);
  const refused = listRefused(request, findModelAge(target.attempt.upstreamModel), thinking.isOn);
  const outputConfig = withoutUndefined({ effort: thinking.effort, format });
  const body = withoutUndefined({
    model: target.attempt.upstreamModel,
    max_tokens: maxTokens,
    system: system.length === 0 ? undefined : system,
    messages,
    stream: request.stream ? true : undefined,
    ...encodeFields(request, FIELDS, { losses, refused }),
    tools: encodeTools(request, context),
    tool_choice: encodeToolChoice(request, thinking.isOn),
    thinking: thinking.thinking,
    output_config: Object.keys(outputConfig).length === 0 ? undefined : outputConfig,
    service_tier: encodeTier(request.serviceTier, losses),
    cache_control: request.autoCache === undefined ? undefined : encodeCache(request.autoCache),
  });
  reportDroppedFields(request, FIELDS, losses);
  return { path: PATH, body: stringifyExactJson(body) };
}

function encodeFormat(format: ResponseFormat | undefined, system: JsonRecord[], { target, losses }: EncodeContext): JsonRecord | undefined {
  if (format === undefined || format.kind === 'text') return undefined;
  if (format.kind === 'json') {
    system.push({ type: 'text', text: 'Answer with one JSON object and nothing else.' });
    losses.approximated.add('response_format');
    return undefined;
  }
  if (!target.model.supportsJsonSchema) throw unsupported('response_format', 'A response format with a JSON schema');
  return { type: 'json_schema', schema: schemaOfFormat(format) };
}

function encodeTier(tier: string | undefined, losses: LossReport): string | undefined {
  if (tier === undefined || tier === 'auto' || tier === 'standard_only') return tier;
  if (tier === 'default') return 'standard_only';
  losses.approximated.add('service_tier');
  return 'auto';
}

/** The caller's own body with the provider's few needs met. */
export function encodeOriginal(body: OriginalBody, target: ProviderTarget, stream: boolean): ExpressCall {
  const set = new Map([['model', JSON.stringify(target.attempt.upstreamModel)]]);
  if ((readMember(body, 'stream') === 'true') !== stream) set.set('stream', String(stream));
  const choice = readMember(body, 'tool_choice');
  if (choice?.startsWith('"') === true) set.set('tool_choice', encodeWordChoice(choice));
  const isTooWarm = Number(readMember(body, 'temperature')) > 1;
  if (isTooWarm) set.set('temperature', '1');
  const headers = pickHeaders(target.callerHeaders);
  return {
    path: PATH,
    body: editOriginal(body, { set, remove: new Set(['weir', 'requesty']) }),
    ...(headers === undefined ? {} : { headers }),
    ...(isTooWarm ? { approximated: ['temperature'] } : {}),
  };
}

const VERSION = /^\d{4}-\d{2}-\d{2}$/;

/** Headers that say what the caller's own body means; a version that is no date is left to the provider's ordinary one. */
function pickHeaders(reported: ProviderTarget['callerHeaders'] = {}): Record<string, string> | undefined {
  const { 'anthropic-beta': beta, 'anthropic-version': version } = reported;
  const isDate = typeof version === 'string' && VERSION.test(version);
  if (beta === undefined && !isDate) return undefined;
  return { ...(beta === undefined ? {} : { 'anthropic-beta': String(beta) }), ...(isDate ? { 'anthropic-version': version } : {}) };
}

/** The same body for the provider's count of its prompt. */
export function encodeCount(body: OriginalBody, target: ProviderTarget): ExpressCall {
  const call = encodeOriginal(body, target, false);
  return { ...call, path: `${call.path}/count_tokens` };
}

/** The interface allows `tool_choice` as a word; the provider takes an object only. */
function encodeWordChoice(text: string): string {
  const word = asText(parseJson(text));
  return JSON.stringify({ type: word === 'required' ? 'any' : (word ?? 'auto') });
}
