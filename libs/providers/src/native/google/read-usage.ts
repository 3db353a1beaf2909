import { createCountReader, isNumeral, NO_USAGE, type CountReader, type Usage } from '@weir/canonical';
import { asArray, asRecord, asText, type JsonRecord } from '../../wire/json-value';
import { withTier } from '../../wire/with-tier';

const PRICED_TRAFFIC: readonly string[] = ['ON_DEMAND_FLEX', 'ON_DEMAND_PRIORITY'];

/**
 * The provider's `usageMetadata`: what was cached is inside the prompt, tools add to the prompt, and thinking stands
 * beside the answer.
 */
export function readUsage(usage: unknown): Usage | null {
  const reported = asRecord(usage);
  if (reported === undefined || !hasUsage(reported)) return null;
  const { doubt, ...reader } = createCountReader();
  const { count, part } = reader;
  const { prompt, answer } = readNeeded(reported, reader);
  const cacheRead = part(reported['cachedContentTokenCount'], prompt);
  const reasoning = count(reported['thoughtsTokenCount']);
  const output = answer + reasoning;
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

/** One of these says that there is usage. */
const NEEDED = ['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount'] as const;

export function hasUsage(reported: JsonRecord): boolean {
  return NEEDED.some((name) => isNumeral(reported[name]));
}

/** Counts of nothing are left out: of an answer that has none, only the total proves that. */
export function readNeeded(
  reported: JsonRecord,
  { count, needed }: Pick<CountReader, 'count' | 'needed'>,
): { readonly prompt: number; readonly answer: number } {
  const { promptTokenCount: asked, candidatesTokenCount: said, totalTokenCount: total } = reported;
  const tools = count(reported['toolUsePromptTokenCount']);
  const thoughts = count(reported['thoughtsTokenCount']);
  const prompt = needed(asked, total, tools + count(said) + thoughts) + tools;
  const isLeftOut = said === undefined && isNumeral(total);
  return { prompt, answer: isLeftOut ? Math.max(0, count(total) - prompt - thoughts) : needed(said) };
}

function countAudio(details: unknown, count: CountReader['count']): number {
  return asArray(details)
    .map(asRecord)
    .filter((detail) => asText(detail?.['modality']) === 'AUDIO')
    .reduce((sum, detail) => sum + count(detail?.['tokenCount']), 0);
}
