/** What a provider says is left of one of its limits. */
export type AllowanceMeasure = {
  /** Null: it does not say. */
  readonly limit: number | null;
  readonly remaining: number;
  /** When all of it is back, in epoch milliseconds; null: it does not say. */
  readonly resetAtMs: number | null;
  /** `steady`: it comes back bit by bit until then; `window`: all at once. */
  readonly refill: 'steady' | 'window';
};

/** What a provider says of its own rate limits in the headers of a reply. What it does not mention is absent. */
export type Allowance = {
  readonly requests?: AllowanceMeasure;
  readonly tokens?: AllowanceMeasure;
  readonly inputTokens?: AllowanceMeasure;
  readonly outputTokens?: AllowanceMeasure;
  /** It asks for nothing to be sent before. Epoch milliseconds. */
  readonly retryAtMs?: number;
};

export const ALLOWANCE_MEASURES = ['requests', 'tokens', 'inputTokens', 'outputTokens'] as const;
export type AllowanceMeasureName = (typeof ALLOWANCE_MEASURES)[number];
