/**
 * What one request used, in disjoint buckets: prompt tokens = inputUncached + cacheRead + cacheWrite5m + cacheWrite1h.
 * Every dialect's own arithmetic is undone on the way in and redone on the way out.
 */
export type Usage = {
  readonly inputUncached: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  /** Includes reasoning. */
  readonly output: number;
  /** Part of output. */
  readonly reasoning: number;
  /** Parts of inputUncached and of output, which may have a price of their own. */
  readonly audioInput: number;
  readonly audioOutput: number;
  /** Web searches made by the provider. */
  readonly searches: number;
  /** Parts of searches, which may have a fee of their own: those that read more into the context than the least. Absent: none. */
  readonly searchesMedium?: number;
  readonly searchesHigh?: number;
  /**
   * Part of all these counts: what the provider made beside the conversation, such as summaries of it. It is charged, and no client
   * that counts its context by the usage of a reply wants it there.
   */
  readonly aside?: Usage;
  readonly source: 'provider' | 'tokenizer' | 'estimate';
  /** An impossible count was reported, or one is missing, and reads as 0: see createCountReader. */
  readonly isDoubtful?: true;
};

export const NO_USAGE: Usage = {
  inputUncached: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  audioInput: 0,
  audioOutput: 0,
  searches: 0,
  source: 'provider',
};

/** All tokens of the prompt, cached or not: what picks the price tier. */
export function promptTokens(usage: Usage): number {
  return usage.inputUncached + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
}

const COUNTS_ASIDE = ['inputUncached', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning', 'searches'] as const;

/** What is still aside of a usage that was cut: the conversation itself keeps its counts as far as they are charged. */
export function cutAside(reported: Usage, cut: Usage): Usage | undefined {
  const { aside } = reported;
  if (aside === undefined) return undefined;
  const left = COUNTS_ASIDE.map((name) => [name, Math.max(0, cut[name] - (reported[name] - aside[name]))] as const);
  return { ...aside, ...Object.fromEntries(left) };
}

/** What belongs to the conversation itself. */
export function withoutAside(usage: Usage): Usage {
  const { aside, ...whole } = usage;
  if (aside === undefined) return usage;
  const left = COUNTS_ASIDE.map((name) => [name, Math.max(0, usage[name] - aside[name])] as const);
  return { ...whole, ...Object.fromEntries(left) };
}

const TOKENS_MAX = 2 ** 40;

/** A provider's number is not trusted: negative, fractional, missing and absurd counts become safe integers. A part of a token is one. */
export function toCount(value: unknown): number {
  if (typeof value !== 'number' || !(value > 0)) return 0;
  return value > TOKENS_MAX ? TOKENS_MAX : Math.ceil(value);
}
