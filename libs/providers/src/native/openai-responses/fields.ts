import type { ChatRequest, LossReport } from '@weir/canonical';
import type { FieldEncoder, FieldUses } from '../../fields/field-uses';
import { encodeServiceTier } from '../../wire/encode-service-tier';
import { MEMBERS } from './members';

type Target = { readonly model: { readonly supportsReasoning: boolean } };
type Context = { readonly target: Target; readonly losses: LossReport };

/** The provider refuses less. */
const OUTPUT_TOKENS_MIN = 16;

/** What the codec does with each field of a request. */
export const FIELDS: FieldUses<Context> = {
  model: 'encoded',
  turns: 'encoded',
  stream: 'encoded',
  maxOutputTokens: encodeOutputLimit,
  temperature: unlessReasoning('temperature'),
  topP: unlessReasoning('top_p'),
  topLogprobs: unlessReasoning('top_logprobs'),
  choices: 'refused',
  tools: 'encoded',
  toolChoice: 'encoded',
  hasParallelTools: 'encoded',
  responseFormat: 'encoded',
  verbosity: 'encoded',
  reasoning: 'approximated',
  serviceTier: encodeTier,
  endUserId: 'encoded',
  cacheKey: 'encoded',
  stop: 'dropped',
  seed: 'dropped',
  topK: 'dropped',
  presencePenalty: 'dropped',
  frequencyPenalty: 'dropped',
  logitBias: 'dropped',
  autoCache: 'dropped',
  citations: 'dropped',
  unmapped: 'dropped',
};

/** A tier whose price no one knows is not asked for. */
function encodeTier(asked: string) {
  const tier = encodeServiceTier(asked);
  const known = MEMBERS.choosing.get('service_tier')?.unless ?? [];
  return tier === undefined || known.includes(tier) ? { service_tier: tier } : ('dropped' as const);
}

function encodeOutputLimit(tokens: number, { losses }: Context) {
  if (tokens < OUTPUT_TOKENS_MIN) losses.approximated.add('max_tokens');
  return { max_output_tokens: Math.max(tokens, OUTPUT_TOKENS_MIN) };
}

/** Models that reason take no sampling, unless they are asked not to reason. */
function unlessReasoning(name: string): FieldEncoder<number, Context> {
  return (value, { target, losses }, request) => {
    if (!isReasoning(request, target)) return { [name]: value };
    losses.dropped.add(name);
    return {};
  };
}

function isReasoning({ reasoning }: ChatRequest, { model }: Target): boolean {
  return model.supportsReasoning && reasoning?.effort !== 'none';
}
