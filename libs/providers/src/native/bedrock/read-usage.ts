import { createCountReader, isNumeral, NO_USAGE, type Usage } from '@weir/canonical';
import { asArray, asRecord } from '../../wire/json-value';

/** The provider's `usage`: its input tokens exclude what was read from or written to the cache. */
export function readUsage(usage: unknown): Usage | null {
  const reported = asRecord(usage);
  if (reported === undefined || (!isNumeral(reported['inputTokens']) && !isNumeral(reported['outputTokens']))) return null;
  const { count, needed, doubt } = createCountReader();
  const written = count(reported['cacheWriteInputTokens']);
  const details = asArray(reported['cacheDetails']).map(asRecord);
  const tokensOf = (ttl: string): number =>
    details.reduce((sum, detail) => (detail?.['ttl'] === ttl ? sum + count(detail['inputTokens']) : sum), 0);
  const cacheWrite1h = tokensOf('1h');
  return {
    ...NO_USAGE,
    inputUncached: needed(reported['inputTokens']),
    cacheRead: count(reported['cacheReadInputTokens']),
    cacheWrite5m: Math.max(tokensOf('5m'), written - cacheWrite1h),
    cacheWrite1h,
    output: needed(reported['outputTokens']),
    ...doubt(),
  };
}
