/** What a rate limit decides about one request, and what callers learn about it. */
export type RateVerdict = {
  readonly isAllowed: boolean;
  /** Requests per minute. */
  readonly limit: number;
  /** How many more would be allowed at this moment. */
  readonly remaining: number;
  /** Milliseconds until one more is allowed; 0 when one is. */
  readonly retryAfterMs: number;
  /** Milliseconds until all of `limit` are allowed again. */
  readonly resetMs: number;
};

/**
 * Counts requests against a rate. `perMinute` requests may come at once, then one each 1/`perMinute` minutes; a refused
 * request counts for nothing. Rejects when the store cannot be reached.
 */
export type RateLimiter = {
  take(memberId: string, perMinute: number): Promise<RateVerdict>;
};
