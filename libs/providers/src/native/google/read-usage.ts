import { NO_USAGE, toCount, type Usage } from '@weir/canonical';
import { asArray, asRecord, asText } from '../../wire/json-value';

/**
 * The provider's `usageMetadata`: what was cached is inside the prompt, tools add to the prompt, and thinking stands
 * beside the answer.
 */
export function readUsage(usage: unknown): Usage | null {
  const told = asRecord(usage);
  if (told === undefined || (typeof told['promptTokenCount'] !== 'number' && typeof told['totalTokenCount'] !== 'number')) return null;
  const prompt = toCount(told['promptTokenCount']) + toCount(told['toolUsePromptTokenCount']);
  const cacheRead = Math.min(prompt, toCount(told['cachedContentTokenCount']));
  const reasoning = toCount(told['thoughtsTokenCount']);
  return {
    ...NO_USAGE,
    inputUncached: prompt - cacheRead,
    cacheRead,
    output: toCount(told['candidatesTokenCount']) + reasoning,
    reasoning,
    audioInput: Math.min(prompt, countAudio(told['promptTokensDetails'])),
    audioOutput: countAudio(told['candidatesTokensDetails']),
  };
}

function countAudio(details: unknown): number {
  return asArray(details)
    .map(asRecord)
    .filter((detail) => asText(detail?.['modality']) === 'AUDIO')
    .reduce((sum, detail) => sum + toCount(detail?.['tokenCount']), 0);
}
