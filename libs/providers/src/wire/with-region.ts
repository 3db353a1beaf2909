import type { EncodedCall, ProviderTarget } from '../provider/target';

/** Requests bound to a region go to that region's address. */
export function withRegion<Call extends Pick<EncodedCall, 'baseUrl'>>(
  call: Call,
  target: ProviderTarget,
  regions: Readonly<Record<string, string>>,
): Call {
  const baseUrl = target.attempt.region === null ? undefined : regions[target.attempt.region.toUpperCase()];
  return baseUrl === undefined ? call : { ...call, baseUrl };
}
