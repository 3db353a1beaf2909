import type { ChatRequest, ContentBlock, LossReport } from '@weir/canonical';

/** Fields that not every provider has a place for, by the name callers know them by. */
const READ = {
  cache_control: (request) => request.autoCache,
  frequency_penalty: (request) => request.frequencyPenalty,
  logit_bias: (request) => request.logitBias,
  logprobs: (request) => request.topLogprobs,
  'messages.citations': ({ turns }) => turns.some(({ content }) => content.some(isCited)) || undefined,
  presence_penalty: (request) => request.presencePenalty,
  prompt_cache_key: (request) => request.cacheKey,
  seed: (request) => request.seed,
  stop: (request) => request.stop,
  top_k: (request) => request.topK,
  user: (request) => request.endUserId,
  verbosity: (request) => request.verbosity,
} as const satisfies Readonly<Record<string, (request: ChatRequest) => unknown>>;

export type LosableField = keyof typeof READ;

/** Reports which of these fields the provider was not sent; fields that no provider is sent are always among them. */
export function noteLostFields(request: ChatRequest, fields: readonly LosableField[], losses: LossReport): void {
  for (const name of fields) if (READ[name](request) !== undefined) losses.dropped.add(name);
  for (const [name, value] of Object.entries(request.unmapped ?? {})) if (value !== undefined) losses.dropped.add(name);
}

/** The sources that an earlier answer named. */
function isCited(block: ContentBlock): boolean {
  return block.type === 'text' && block.citations !== undefined && block.citations.length > 0;
}
