import type { LossReport } from '@weir/canonical';
import type { FieldEncoder, FieldUses } from '../../fields/field-uses';

type Context = { readonly losses: LossReport };

const STOPS_MAX = 5;

/** What the codec does with each field of a request. */
export const FIELDS: FieldUses<Context> = {
  model: 'encoded',
  turns: 'encoded',
  stream: 'encoded',
  maxOutputTokens: { as: 'max_tokens' },
  temperature: { as: 'temperature' },
  topP: within('top_p', { as: 'p', least: 0.01, most: 0.99 }),
  topK: { as: 'k' },
  seed: { as: 'seed' },
  presencePenalty: within('presence_penalty', { as: 'presence_penalty', least: 0, most: 1 }),
  frequencyPenalty: within('frequency_penalty', { as: 'frequency_penalty', least: 0, most: 1 }),
  stop: encodeStops,
  choices: 'refused',
  tools: 'encoded',
  toolChoice: 'approximated',
  responseFormat: 'encoded',
  reasoning: 'approximated',
  logitBias: 'dropped',
  topLogprobs: 'dropped',
  verbosity: 'dropped',
  endUserId: 'dropped',
  cacheKey: 'dropped',
  autoCache: 'dropped',
  citations: 'dropped',
  unmapped: 'dropped',
  // There is one tier, and some callers spell it out.
  serviceTier: { droppedUnless: ['default'] },
  hasParallelTools: 'dropped',
};

type Range = { readonly as: string; readonly least: number; readonly most: number };

/** A number that the provider takes within narrower bounds. */
function within(name: string, { as, least, most }: Range): FieldEncoder<number, Context> {
  return (value, { losses }) => {
    if (value >= least && value <= most) return { [as]: value };
    losses.approximated.add(name);
    return { [as]: Math.min(most, Math.max(least, value)) };
  };
}

function encodeStops(stop: readonly string[], { losses }: Context) {
  if (stop.length > STOPS_MAX) losses.approximated.add('stop');
  return { stop_sequences: stop.slice(0, STOPS_MAX) };
}
