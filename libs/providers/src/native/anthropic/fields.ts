import type { ChatRequest, LossReport } from '@weir/canonical';
import type { FieldEncoder, FieldUses } from '../../fields/field-uses';
import type { ModelAge } from './model-age';

/** `refused`: the names of the sampling fields that the model refuses beside the others of this request. */
type Context = { readonly losses: LossReport; readonly refused: readonly string[] };

/** What the codec does with each field of a request. */
export const FIELDS: FieldUses<Context> = {
  model: 'encoded',
  turns: 'encoded',
  citations: 'encoded',
  stream: 'encoded',
  maxOutputTokens: 'encoded',
  temperature: encodeTemperature,
  topP: unlessRefused('top_p'),
  topK: unlessRefused('top_k'),
  stop: encodeStops,
  endUserId: (user_id) => ({ metadata: { user_id } }),
  choices: 'refused',
  tools: 'encoded',
  toolChoice: 'encoded',
  hasParallelTools: 'encoded',
  responseFormat: 'approximated',
  reasoning: 'approximated',
  serviceTier: 'approximated',
  autoCache: 'encoded',
  seed: 'dropped',
  presencePenalty: 'dropped',
  frequencyPenalty: 'dropped',
  logitBias: 'dropped',
  topLogprobs: 'dropped',
  verbosity: 'dropped',
  cacheKey: 'dropped',
  unmapped: 'dropped',
};

/** Which sampling fields a model refuses: the newer ones all, any while it thinks, and others one beside the other. */
export function listRefused({ temperature, topP }: ChatRequest, age: ModelAge, isThinking: boolean): readonly string[] {
  if (age.refusesSampling) return ['temperature', 'top_p', 'top_k'];
  if (isThinking) return ['temperature', 'top_k', ...(topP !== undefined && topP < 0.95 ? ['top_p'] : [])];
  return age.hasOneSampling && temperature !== undefined && topP !== undefined ? ['top_p'] : [];
}

function unlessRefused(name: string): FieldEncoder<number, Context> {
  return (value, { refused }) => (refused.includes(name) ? 'dropped' : { [name]: value });
}

function encodeTemperature(temperature: number, { losses, refused }: Context) {
  // A temperature of 1 is what the model does anyway.
  if (refused.includes('temperature')) return temperature === 1 ? {} : 'dropped';
  if (temperature > 1) losses.approximated.add('temperature');
  return { temperature: Math.min(1, temperature) };
}

/** Stop sequences of nothing but space are refused. */
function encodeStops(stop: readonly string[], { losses }: Context) {
  const kept = stop.filter((sequence) => sequence.trim() !== '');
  if (kept.length < stop.length) losses.dropped.add('stop');
  return { stop_sequences: kept.length === 0 ? undefined : kept };
}
