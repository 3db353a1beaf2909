import type { EncodedCall, ProviderTarget } from '../chat-provider';

/** Requests bound to a region go to that region's address. */
export function withRegion(call: EncodedCall, target: ProviderTarget, regions: Readonly<Record<string, string>>): EncodedCall {
  const baseUrl = target.attempt.region === null ? undefined : regions[target.attempt.region.toUpperCase()];
  return baseUrl === undefined ? call : { ...call, baseUrl };
}
