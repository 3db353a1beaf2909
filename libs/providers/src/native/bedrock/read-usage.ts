import { createCountReader, isNumeral, NO_USAGE, type Usage } from '@weir/canonical';
import { asArray, asRecord } from '../../wire/json-value';

/** The provider's `usage`: its input tokens exclude what was read from or written to the cache. */
export function readUsage(usage: unknown): Usage | null {
  const told = asRecord(usage);
  if (told === undefined || (!isNumeral(told['inputTokens']) && !isNumeral(told['outputTokens']))) return null;
  const { count, doubt } = createCountReader();
  const written = count(told['cacheWriteInputTokens']);
  const details = asArray(told['cacheDetails']).map(asRecord);
  const tokensOf = (ttl: string): number =>
    details.reduce((sum, detail) => (detail?.['ttl'] === ttl ? sum + count(detail['inputTokens']) : sum), 0);
  const cacheWrite1h = tokensOf('1h');
  return {
    ...NO_USAGE,
    inputUncached: count(told['inputTokens']),
    cacheRead: count(told['cacheReadInputTokens']),
    cacheWrite5m: Math.max(tokensOf('5m'), written - cacheWrite1h),
    cacheWrite1h,
    output: count(told['outputTokens']),
    ...doubt(),
  };
}
