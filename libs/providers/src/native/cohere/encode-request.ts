import {
  stringifyExactJson,
  type ChatRequest,
  type LossReport,
  type ReasoningEffort,
  type ReasoningOptions,
  type ResponseFormat,
} from '@weir/canonical';
import type { EncodedCall } from '../../provider/target';
import { unsupported } from '../../failures/unsupported';
import { schemaOfFormat } from '../../wire/schema-of-format';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { noteLostFields, type LosableField } from '../../wire/note-lost-fields';
import { encodeMessages } from './encode-messages';
import { encodeTools } from './encode-tools';
import type { EncodeContext } from './context';

/** What the provider has no field for. */
const PLACELESS: readonly LosableField[] = [
  'logit_bias',
  'logprobs',
  'verbosity',
  'user',
  'prompt_cache_key',
  'cache_control',
  'messages.citations',
];

const PATH = '/chat';
const STOPS_MAX = 5;
/** What the provider takes, as [least, most]. */
const TOP_P = [0.01, 0.99] as const;
const PENALTY = [0, 1] as const;
/** The highest efforts have no budget: the model thinks as long as it likes. */
const BUDGETS: Readonly<Partial<Record<ReasoningEffort, number>>> = { minimal: 1024, low: 2048, medium: 8192, high: 16_384 };

/** A request as version 2 of the chat API takes it. */
export function encodeRequest(request: ChatRequest, context: EncodeContext): EncodedCall {
  const { target, losses } = context;
  if ((request.choices ?? 1) > 1) throw unsupported('n', 'More than one choice');
  const body = withoutUndefined({
    model: target.attempt.upstreamModel,
    messages: encodeMessages(request.turns, context),
    stream: request.stream,
    max_tokens: request.maxOutputTokens,
    ...encodeSampling(request, losses),
    ...encodeTools(request, context),
    response_format: encodeFormat(request.responseFormat, context),
    thinking: encodeThinking(request.reasoning, context),
  });
  reportLost(request, losses);
  return { path: PATH, body: stringifyExactJson(body) };
}

function encodeSampling(request: ChatRequest, losses: LossReport): JsonRecord {
  const within = (name: string, value: number | undefined, [least, most]: readonly [number, number]): number | undefined => {
    if (value === undefined || (value >= least && value <= most)) return value;
    losses.approximated.add(name);
    return Math.min(most, Math.max(least, value));
  };
  return {
    temperature: request.temperature,
    p: within('top_p', request.topP, TOP_P),
    k: request.topK,
    seed: request.seed,
    presence_penalty: within('presence_penalty', request.presencePenalty, PENALTY),
    frequency_penalty: within('frequency_penalty', request.frequencyPenalty, PENALTY),
    stop_sequences: encodeStops(request.stop, losses),
  };
}

function encodeStops(stop: readonly string[] | undefined, losses: LossReport): readonly string[] | undefined {
  if (stop === undefined || stop.length <= STOPS_MAX) return stop;
  losses.approximated.add('stop');
  return stop.slice(0, STOPS_MAX);
}

function encodeFormat(format: ResponseFormat | undefined, { target }: EncodeContext): JsonRecord | undefined {
  if (format === undefined || format.kind === 'text') return undefined;
  if (format.kind === 'json') return { type: 'json_object' };
  if (!target.model.supportsJsonSchema) throw unsupported('response_format', 'A response format with a JSON schema');
  return { type: 'json_object', json_schema: schemaOfFormat(format) };
}

function encodeThinking(wish: ReasoningOptions | undefined, { target, losses }: EncodeContext): JsonRecord | undefined {
  if (wish === undefined || (wish.effort === undefined && wish.budgetTokens === undefined && wish.mode === undefined)) return undefined;
  const isOff = wish.effort === 'none' || wish.mode === 'disabled';
  if (!target.model.supportsReasoning) {
    if (!isOff) losses.dropped.add('reasoning_effort');
    return undefined;
  }
  if (isOff) return { type: 'disabled' };
  const budget = wish.budgetTokens ?? (wish.effort === undefined ? undefined : BUDGETS[wish.effort]);
  return withoutUndefined({ type: 'enabled', token_budget: budget });
}

function reportLost(request: ChatRequest, losses: LossReport): void {
  const { serviceTier: tier } = request;
  noteLostFields(request, PLACELESS, losses);
  if (tier !== undefined && tier !== 'auto' && tier !== 'default') losses.dropped.add('service_tier');
  if (request.hasParallelTools === false) losses.dropped.add('parallel_tool_calls');
}
