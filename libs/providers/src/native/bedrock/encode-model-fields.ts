import type { ChatRequest, ReasoningEffort } from '@weir/canonical';
import { unsupported } from '../../failures/unsupported';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { encodeThinking } from '../anthropic/encode-thinking';
import { findModelAge } from '../anthropic/model-age';
import type { EncodeContext } from './context';
import { encodeSerialChoice, forcesCall } from './encode-tools';

type ModelFields = {
  readonly inferenceConfig: JsonRecord;
  /** Fields in the words of the model's maker. */
  readonly additional: JsonRecord;
};

/** The bound of the answer where the caller set none and the catalogue knows none. */
const MAX_TOKENS_UNKNOWN = 4096;

/** What differs from maker to maker: sampling, reasoning, and the fields beside the provider's own. */
export function encodeModelFields(request: ChatRequest, context: EncodeContext): ModelFields {
  const { traits, target } = context;
  const bound = request.maxOutputTokens ?? target.model.maxOutputTokens ?? MAX_TOKENS_UNKNOWN;
  const reasoning = encodeReasoning(request, context, bound);
  if (reasoning.isThinking && forcesCall(request, context.hasAnswerTool)) {
    throw unsupported(context.hasAnswerTool ? 'response_format' : 'tool_choice', 'A forced tool call while thinking');
  }
  const sampling = encodeSampling(request, context, reasoning.isThinking);
  const { topK, ...provided } = sampling;
  return {
    inferenceConfig: withoutUndefined({
      maxTokens: reasoning.hasBudget ? bound : request.maxOutputTokens,
      ...provided,
      stopSequences: encodeStops(request.stop, context),
    }),
    additional: withoutUndefined({
      ...reasoning.fields,
      ...(topK === undefined ? {} : traits.topK === 'inference-config' ? { inferenceConfig: { topK } } : { [traits.topK]: topK }),
      tool_choice: encodeSerialChoice(request, context),
    }),
  };
}

type Reasoning = { readonly isThinking: boolean; readonly hasBudget: boolean; readonly fields: JsonRecord };

const NO_REASONING: Reasoning = { isThinking: false, hasBudget: false, fields: {} };

function encodeReasoning(request: ChatRequest, context: EncodeContext, maxTokens: number): Reasoning {
  const { traits, target, losses } = context;
  if (traits.reasoning === 'thinking') {
    const { isOn, thinking, effort } = encodeThinking(request, { ...context, maxTokens });
    const outputConfig = effort === undefined ? undefined : { effort };
    return {
      isThinking: isOn,
      hasBudget: thinking?.['type'] === 'enabled',
      fields: withoutUndefined({ thinking, output_config: outputConfig }),
    };
  }
  const effort = readEffort(request, context);
  if (effort === undefined) return NO_REASONING;
  if (!target.model.supportsReasoning || traits.reasoning === 'none') {
    if (effort !== 'none') losses.dropped.add('reasoning_effort');
    return NO_REASONING;
  }
  if (traits.reasoning === 'effort') return { ...NO_REASONING, fields: { reasoning_effort: effort } };
  if (traits.reasoning === 'effort-level') return { ...NO_REASONING, fields: { reasoning_effort: nearestLevel(effort, context) } };
  const level = effort === 'none' ? undefined : nearestLevel(effort, context);
  const reasoningConfig = level === undefined ? { type: 'disabled' } : { type: 'enabled', maxReasoningEffort: level };
  return { ...NO_REASONING, fields: { reasoningConfig } };
}

function readEffort({ reasoning }: ChatRequest, { losses }: EncodeContext): ReasoningEffort | undefined {
  if (reasoning?.effort !== undefined) return reasoning.effort;
  if (reasoning?.mode === 'disabled') return 'none';
  if (reasoning?.budgetTokens === undefined) return undefined;
  losses.approximated.add('reasoning');
  return reasoning.budgetTokens <= 2048 ? 'low' : reasoning.budgetTokens <= 10_000 ? 'medium' : 'high';
}

function nearestLevel(effort: ReasoningEffort, { losses }: EncodeContext): string {
  if (effort === 'low' || effort === 'medium' || effort === 'high') return effort;
  losses.approximated.add('reasoning_effort');
  return effort === 'minimal' || effort === 'none' ? 'low' : 'high';
}

type Sampling = { temperature?: number | undefined; topP?: number | undefined; topK?: number | undefined };
const WORDS = { temperature: 'temperature', topP: 'top_p', topK: 'top_k' } as const;

function encodeSampling(request: ChatRequest, context: EncodeContext, isThinking: boolean): Sampling {
  const { traits, losses } = context;
  const { temperature, topP, topK } = request;
  if (temperature !== undefined && temperature > 1) losses.approximated.add('temperature');
  const sampling: Sampling = { temperature: temperature === undefined ? undefined : Math.min(1, temperature), topP, topK };
  const refused = new Set(traits.isClaude ? listRefused(request, context, isThinking) : []);
  if (traits.topK === 'none') refused.add('topK');
  for (const name of refused) {
    const isHarmless = name === 'temperature' && temperature === 1;
    if (sampling[name] !== undefined && !isHarmless) losses.dropped.add(WORDS[name]);
    sampling[name] = undefined;
  }
  return sampling;
}

/** Claude's models refuse sampling while they think, the newer ones always, and others take one of the two only. */
function listRefused({ temperature, topP }: ChatRequest, { target }: EncodeContext, isThinking: boolean): (keyof Sampling)[] {
  const age = findModelAge(target.attempt.upstreamModel);
  if (age.refusesSampling) return ['temperature', 'topP', 'topK'];
  if (isThinking) return ['temperature', 'topK', ...(topP !== undefined && topP < 0.95 ? (['topP'] as const) : [])];
  return age.hasOneSampling && temperature !== undefined && topP !== undefined ? ['topP'] : [];
}

/** Claude's models refuse stop sequences of nothing but space. */
function encodeStops(stop: readonly string[] | undefined, { traits, losses }: EncodeContext): readonly string[] | undefined {
  const kept = (stop ?? []).filter((sequence) => (traits.isClaude ? sequence.trim() !== '' : sequence !== ''));
  if (stop !== undefined && kept.length < stop.length) losses.dropped.add('stop');
  return kept.length === 0 ? undefined : kept;
}
