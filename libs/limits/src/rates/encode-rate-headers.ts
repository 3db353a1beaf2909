import type { RateVerdict } from './rate-limiter';

/** The state of a rate limit, in the headers that existing clients read. */
export function encodeRateHeaders({ limit, remaining, resetMs }: RateVerdict): Record<string, string> {
  return {
    'x-ratelimit-limit-requests': String(limit),
    'x-ratelimit-remaining-requests': String(remaining),
    'x-ratelimit-reset-requests': formatDuration(resetMs),
  };
}

/** `0s`, `17ms`, `8.64s`, `1m0s`. */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < 1000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = `${(ms - minutes * 60_000) / 1000}s`;
  return minutes === 0 ? seconds : `${minutes}m${seconds}`;
}
