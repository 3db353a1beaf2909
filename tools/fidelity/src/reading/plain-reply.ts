/** Tokens in disjoint buckets; reasoning is part of output. */
export type PlainUsage = {
  readonly uncached: number;
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
  readonly output: number;
  readonly reasoning: number;
};

export type PlainCall = { readonly name: string; readonly argumentsText: string; readonly kind: 'function' | 'custom' };

/** Why the model stopped, in the reasons that every dialect can express. */
export type StopClass = 'stop' | 'length' | 'tools' | 'filter' | 'pause' | 'error';

/**
 * How a reply ended: as a whole, refused with an HTTP status, failed in the middle of its stream (or cut there), or with
 * a success status around something that is no reply.
 */
type Ending = 'whole' | 'refused' | 'failed' | 'unreadable';

/** What one reply says, read from a provider's raw capture or from what a caller received. */
export type PlainReply = {
  readonly ending: Ending;
  /** Of the HTTP reply. */
  readonly status: number;
  readonly text: string;
  readonly refusal: string;
  readonly reasoning: string;
  readonly calls: readonly PlainCall[];
  readonly stop: StopClass | null;
  /** Null when none was reported. */
  readonly usage: PlainUsage | null;
  /** Addresses of cited pages, each once, in alphabetical order. */
  readonly citations: readonly string[];
  /** Citations that name no address: documents, files. */
  readonly hasOtherCitations: boolean;
  /** Web searches the provider bills; null where the dialect does not report them. */
  readonly searches: number | null;
};

export const EMPTY_REPLY: PlainReply = {
  ending: 'whole',
  status: 200,
  text: '',
  refusal: '',
  reasoning: '',
  calls: [],
  stop: null,
  usage: null,
  citations: [],
  hasOtherCitations: false,
  searches: null,
};

export const NO_TOKENS: PlainUsage = { uncached: 0, read: 0, write5m: 0, write1h: 0, output: 0, reasoning: 0 };

export function listOnce(addresses: readonly unknown[]): string[] {
  return [...new Set(addresses.filter((address): address is string => typeof address === 'string' && address !== ''))].sort();
}
