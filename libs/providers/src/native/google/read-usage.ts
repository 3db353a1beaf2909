import { createCountReader, isNumeral, NO_USAGE, type CountReader, type Usage } from '@weir/canonical';
import { asArray, asRecord, asText } from '../../wire/json-value';
import { withTier } from '../../wire/with-tier';

const PRICED_TRAFFIC: readonly string[] = ['ON_DEMAND_FLEX', 'ON_DEMAND_PRIORITY'];

/**
 * The provider's `usageMetadata`: what was cached is inside the prompt, tools add to the prompt, and thinking stands
 * beside the answer.
 */
export function readUsage(usage: unknown): Usage | null {
  const reported = asRecord(usage);
  if (reported === undefined || (!isNumeral(reported['promptTokenCount']) && !isNumeral(reported['totalTokenCount']))) return null;
  const { count, part, doubt } = createCountReader();
  const prompt = count(reported['promptTokenCount']) + count(reported['toolUsePromptTokenCount']);
  const cacheRead = part(reported['cachedContentTokenCount'], prompt);
  const reasoning = count(reported['thoughtsTokenCount']);
  const output = count(reported['candidatesTokenCount']) + reasoning;
  const audio = countAudio(reported['promptTokensDetails'], count);
  const cachedAudio = countAudio(reported['cacheTokensDetails'], count);
  const used: Usage = {
    ...NO_USAGE,
    inputUncached: prompt - cacheRead,
    cacheRead,
    output,
    reasoning,
    // What of it was cached has been charged as that.
    audioInput: Math.min(prompt - cacheRead, Math.max(0, audio - cachedAudio)),
    audioOutput: Math.min(output, countAudio(reported['candidatesTokensDetails'], count)),
    ...doubt(),
  };
  return withTier(withTier(used, reported['serviceTier']), reported['trafficType'], PRICED_TRAFFIC);
}

function countAudio(details: unknown, count: CountReader['count']): number {
  return asArray(details)
    .map(asRecord)
    .filter((detail) => asText(detail?.['modality']) === 'AUDIO')
    .reduce((sum, detail) => sum + count(detail?.['tokenCount']), 0);
}
