import type { ChatRequest, LossReport } from '@weir/canonical';
import { encodeEndUser } from '../wire/encode-end-user';
import { encodeServiceTier } from '../wire/encode-service-tier';
import type { FieldEncoder, FieldUses } from '../fields/field-uses';
import { withoutUndefined } from '../wire/json-value';
import { listTiers } from './list-tiers';
import type { CompatibleProvider } from './rules/compatible-provider.schema';

type Context = {
  readonly provider: Pick<CompatibleProvider, 'extraParams' | 'refusesSampling' | 'pricedTiers' | 'ordinaryTiers'>;
  readonly target: { readonly model: { readonly supportsReasoning: boolean } };
  readonly losses: LossReport;
};

/** What the codec does with each field of a request, before the rules of the one provider are applied. */
export const FIELDS: FieldUses<Context> = {
  model: 'encoded',
  turns: 'encoded',
  maxOutputTokens: { as: 'max_completion_tokens' },
  temperature: unlessRefused('temperature'),
  topP: unlessRefused('top_p'),
  presencePenalty: unlessRefused('presence_penalty'),
  frequencyPenalty: unlessRefused('frequency_penalty'),
  logitBias: unlessRefused('logit_bias'),
  topLogprobs: encodeLogprobs,
  topK: whereKnown('top_k'),
  stop: { as: 'stop' },
  seed: { as: 'seed' },
  choices: { as: 'n' },
  verbosity: { as: 'verbosity' },
  serviceTier: encodeTier,
  endUserId: (id, { losses }) => ({ user: encodeEndUser(id, losses) }),
  cacheKey: { as: 'prompt_cache_key' },
  tools: 'encoded',
  toolChoice: 'encoded',
  hasParallelTools: 'encoded',
  responseFormat: 'encoded',
  reasoning: 'approximated',
  stream: 'encoded',
  autoCache: 'dropped',
  citations: 'dropped',
  unmapped: 'dropped',
};

/** A tier whose price no one knows is not asked for. */
function encodeTier(asked: string, { provider }: Context) {
  const tier = encodeServiceTier(asked);
  return tier === undefined || listTiers(provider).includes(tier) ? { service_tier: tier } : ('dropped' as const);
}

/** A parameter beyond OpenAI's, which some providers know. */
function whereKnown(name: string): FieldEncoder<number, Context> {
  return (value, { provider }) => (provider.extraParams.includes(name) ? { [name]: value } : 'dropped');
}

/** Sampling, which models that think refuse at some providers. */
function unlessRefused(name: string): FieldEncoder<unknown, Context> {
  return (value, context, request) => (refusesSampling(request, context) ? 'dropped' : { [name]: value });
}

function encodeLogprobs(count: number, context: Context, request: ChatRequest) {
  const members = withoutUndefined({ logprobs: true, top_logprobs: count === 0 ? undefined : count });
  if (!refusesSampling(request, context)) return members;
  for (const name of Object.keys(members)) context.losses.dropped.add(name);
  return {};
}

function refusesSampling({ reasoning }: ChatRequest, { provider, target }: Context): boolean {
  return provider.refusesSampling !== 'never' && target.model.supportsReasoning && reasoning?.effort !== 'none';
}
