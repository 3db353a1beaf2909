import { NO_USAGE, toCount, type Usage } from '@weir/canonical';
import { asArray, asRecord } from '../../wire/json-value';

/** The provider's `usage`: its input tokens exclude what was read from or written to the cache. */
export function readUsage(usage: unknown): Usage | null {
  const told = asRecord(usage);
  if (told === undefined || (typeof told['inputTokens'] !== 'number' && typeof told['outputTokens'] !== 'number')) return null;
  const written = toCount(told['cacheWriteInputTokens']);
  const details = asArray(told['cacheDetails']).map(asRecord);
  const tokensOf = (ttl: string): number =>
    details.reduce((sum, detail) => (detail?.['ttl'] === ttl ? sum + toCount(detail['inputTokens']) : sum), 0);
  const cacheWrite1h = tokensOf('1h');
  return {
    ...NO_USAGE,
    inputUncached: toCount(told['inputTokens']),
    cacheRead: toCount(told['cacheReadInputTokens']),
    cacheWrite5m: Math.max(tokensOf('5m'), written - cacheWrite1h),
    cacheWrite1h,
    output: toCount(told['outputTokens']),
  };
}
