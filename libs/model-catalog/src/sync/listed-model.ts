/** Prices of one token, as a list states them; what it does not state is absent. */
export type ListedTier = {
  readonly threshold: number;
  readonly input: string;
  readonly output: string;
  readonly cachedRead?: string | undefined;
  readonly cacheWrite?: string | undefined;
  readonly cacheWrite1h?: string | undefined;
};

/** One model of a list, in our words. */
export type ListedModel = {
  readonly provider: string;
  /** The model's name at the provider. */
  readonly upstreamModel: string;
  readonly facts: { readonly contextWindow?: number; readonly maxOutputTokens?: number; readonly description?: string };
  /** Of chat models; absent: the list states none. */
  readonly tiers?: readonly ListedTier[];
  /** For one web search. */
  readonly search?: string | undefined;
};

export type ReadList = {
  readonly models: readonly ListedModel[];
  /** Providers of which the list has all models, so that one that it does not have is no longer there. */
  readonly complete: readonly string[];
  /** Rows in our own shape. */
  readonly rows: readonly ({ readonly id: string } & Readonly<Record<string, unknown>>)[];
};
