import type { FieldUses } from '../../fields/field-uses';

/** What the codec does with each field of a request. */
export const FIELDS: FieldUses = {
  model: 'encoded',
  turns: 'encoded',
  stream: 'encoded',
  maxOutputTokens: 'encoded',
  // Every maker has words and bounds of its own: see encodeModelFields.
  temperature: 'approximated',
  topP: 'encoded',
  topK: 'encoded',
  stop: 'encoded',
  choices: 'refused',
  tools: 'encoded',
  toolChoice: 'encoded',
  hasParallelTools: 'encoded',
  responseFormat: 'approximated',
  reasoning: 'approximated',
  serviceTier: 'encoded',
  endUserId: 'encoded',
  autoCache: 'encoded',
  seed: 'dropped',
  presencePenalty: 'dropped',
  frequencyPenalty: 'dropped',
  logitBias: 'dropped',
  topLogprobs: 'dropped',
  verbosity: 'dropped',
  cacheKey: 'dropped',
  citations: 'dropped',
  unmapped: 'dropped',
};
