import type { LossReport } from '@weir/canonical';
import type { FieldUses } from '../../fields/field-uses';

type Context = { readonly losses: LossReport };

const STOPS_MAX = 5;

/** Service tiers as callers of all dialects name them, and what the provider calls them. */
export const TIERS: ReadonlyMap<string, string> = new Map([
  ['default', 'standard'],
  ['standard', 'standard'],
  ['standard_only', 'standard'],
  ['flex', 'flex'],
  ['priority', 'priority'],
  ['fast', 'priority'],
]);

/** What the codec does with each field of a request; the names are those of `generationConfig`. */
export const FIELDS: FieldUses<Context> = {
  model: 'encoded',
  turns: 'encoded',
  stream: 'encoded',
  temperature: { as: 'temperature' },
  topP: { as: 'topP' },
  topK: { as: 'topK' },
  maxOutputTokens: { as: 'maxOutputTokens' },
  stop: encodeStops,
  choices: (count) => ({ candidateCount: count === 1 ? undefined : count }),
  seed: { as: 'seed' },
  presencePenalty: { as: 'presencePenalty' },
  frequencyPenalty: { as: 'frequencyPenalty' },
  topLogprobs: (count) => ({ responseLogprobs: true, logprobs: count === 0 ? undefined : count }),
  tools: 'encoded',
  toolChoice: 'encoded',
  responseFormat: 'encoded',
  reasoning: 'approximated',
  logitBias: 'dropped',
  verbosity: 'dropped',
  endUserId: 'dropped',
  cacheKey: 'dropped',
  autoCache: 'dropped',
  citations: 'dropped',
  unmapped: 'dropped',
  serviceTier: { droppedUnless: [...TIERS.keys()] },
  hasParallelTools: 'dropped',
};

function encodeStops(stop: readonly string[], { losses }: Context) {
  if (stop.length > STOPS_MAX) losses.approximated.add('stop');
  return { stopSequences: stop.slice(0, STOPS_MAX) };
}
