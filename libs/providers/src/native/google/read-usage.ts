import { createCountReader, isNumeral, NO_USAGE, type CountReader, type Usage } from '@weir/canonical';
import { asArray, asRecord, asText } from '../../wire/json-value';

/**
 * The provider's `usageMetadata`: what was cached is inside the prompt, tools add to the prompt, and thinking stands
 * beside the answer.
 */
export function readUsage(usage: unknown): Usage | null {
  const told = asRecord(usage);
  if (told === undefined || (!isNumeral(told['promptTokenCount']) && !isNumeral(told['totalTokenCount']))) return null;
  const { count, part, doubt } = createCountReader();
  const prompt = count(told['promptTokenCount']) + count(told['toolUsePromptTokenCount']);
  const cacheRead = part(told['cachedContentTokenCount'], prompt);
  const reasoning = count(told['thoughtsTokenCount']);
  const output = count(told['candidatesTokenCount']) + reasoning;
  return {
    ...NO_USAGE,
    inputUncached: prompt - cacheRead,
    cacheRead,
    output,
    reasoning,
    audioInput: Math.min(prompt, countAudio(told['promptTokensDetails'], count)),
    audioOutput: Math.min(output, countAudio(told['candidatesTokensDetails'], count)),
    ...doubt(),
  };
}

function countAudio(details: unknown, count: CountReader['count']): number {
  return asArray(details)
    .map(asRecord)
    .filter((detail) => asText(detail?.['modality']) === 'AUDIO')
    .reduce((sum, detail) => sum + count(detail?.['tokenCount']), 0);
}
