/**
 * What is set aside for running requests. Every amount is a whole number in the unit of its scope's measure (pico-dollars,
 * requests, tokens), and a hold has one of its own in each of its scopes. Three of them add up to what is taken of a scope:
 *
 * - `base`: what Postgres knows was spent, an absolute value with a version that only grows;
 * - `settled`: of requests that have ended and are not in `base` yet, by hold;
 * - `open`: the worst case of requests that run, by hold. One that no one renews expires; it goes on counting until it is
 *   certain that no journal knows it (see `reportWriter`).
 *
 * Every operation may be repeated, come late, or not come at all: a limit is never overspent and nothing stays locked.
 */
export type HoldStore = {
  /**
   * Sets amounts aside in all scopes or in none, in one step; a store in this process returns what became of it at once. Rejects
   * with `HoldsUnavailableError`.
   */
  reserve(request: ReserveRequest): ReserveAnswer | Promise<ReserveAnswer>;
  /**
   * Sets what was spent in each scope. An older version changes nothing, so that many processes may call it at once. `generation`: of
   * the reply that asked for the bases. A store that has lost something since then takes none of them: what was committed after they
   * were read may have been among it.
   */
  seed(organizationId: string, bases: readonly ScopeBase[], generation?: string): Promise<void>;
  /** Keeps an open hold for another `ttlMs`; a store that has lost it learns of it. One that is settled stays settled. */
  renew(hold: Hold, ttlMs: number): Done;
  /** Replaces an open hold by what was spent, zero giving it back; a hold that is not open is left as it is. */
  settle(hold: SettledHold): Done;
  /** `settle` for a store that may have lost the hold, or never had it: what it does not know is entered as settled. */
  register(hold: SettledHold): Done;
  /** After a commit: what was spent, and the holds whose spending is part of it. Stale and repeated calls are harmless. */
  confirm(organizationId: string, confirmed: readonly ScopeConfirmation[]): Promise<void>;
  /** What of each scope is taken; a scope that has to be seeded is not in the answer. */
  readTaken(organizationId: string, scopes: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  readScope(organizationId: string, scope: string): Promise<ScopeState>;
  /** Every scope that was ever seeded, or that something was registered in before it was, and that is not long over. */
  listScopes(): Promise<readonly { readonly organizationId: string; readonly scope: string }[]>;
  /** Makes a writer known, before it begins its first held request. Returns the time on the store's clock, epoch milliseconds. */
  enrolWriter(writerId: string): Promise<number>;
  /**
   * A writer says: whatever I had begun and not ended at `asOfMs` was renewed since, whatever I had ended is settled or committed. An
   * expired hold is given back once every writer has said so of a time after its expiry: then no journal knows it. The time is one that
   * `enrolWriter` has returned: between the renewals and this, a writer may have been frozen for longer than they last.
   */
  reportWriter(writerId: string, asOfMs: number): Promise<void>;
  /** A writer that is gone with nothing left in its journal. */
  retireWriter(writerId: string): Promise<void>;
  /** Calls back when the store may have lost something: what is open or not yet committed must be reported again at once. */
  onLoss(listener: () => void): () => void;
};

/** Undefined where it was done at once, as in the memory of this process: every request waits for none of its promises then. */
type Done = Promise<void> | undefined;

export type HoldKey = { readonly organizationId: string; readonly holdId: string; readonly scopes: readonly string[] };

/** `amounts` are held in each of the scopes, in their order. */
type Hold = HoldKey & { readonly amounts: readonly bigint[] };

export type SettledHold = HoldKey & {
  /** What was spent in each of the scopes, in their order. */
  readonly spent: readonly bigint[];
};

export type ReserveLimit = {
  readonly scope: string;
  /** What may be taken of it; null where it is only counted. */
  readonly max: bigint | null;
  /** Of a rolling window: its earlier steps without a gap, the latest first, of which what is taken counts as well. Nothing is held in them. */
  readonly past?: readonly string[];
};

export type ReserveRequest = {
  readonly organizationId: string;
  readonly holdId: string;
  readonly ttlMs: number;
  /** The list is never changed: a store may remember what it made of it. */
  readonly limits: readonly ReserveLimit[];
  /** The most the request can use of each of the limits, in their order. */
  readonly amounts: readonly bigint[];
  /** The least that is still of use: what is left is set aside where it is between the two. */
  readonly leasts: readonly bigint[];
  /** What is left of each limit is wanted in the answer. */
  readonly isShown?: boolean;
};

export type ReserveAnswer =
  | {
      readonly kind: 'held';
      readonly amounts: readonly bigint[];
      /** After it was set aside, where it was asked for; null of a limit that only counts. */
      readonly remaining?: readonly (bigint | null)[];
    }
  /** `scope` is of a limit that does not cover the least; below zero where more was used than its limit. */
  | { readonly kind: 'refused'; readonly scope: string; readonly remaining: bigint }
  /** What was spent in these scopes is not known: read it now, and seed them. `generation` is absent where nothing can be lost. */
  | { readonly kind: 'unseeded'; readonly scopes: readonly string[]; readonly generation?: string };

export type ScopeBase = { readonly scope: string; readonly base: bigint; readonly version: bigint };

export type ScopeConfirmation = ScopeBase & { readonly holdIds: readonly string[] };

type ScopeEntry = { readonly holdId: string; readonly amount: bigint };

export type ScopeState = {
  readonly isSeeded: boolean;
  readonly base: bigint;
  readonly version: bigint;
  readonly settledSum: bigint;
  readonly openSum: bigint;
  readonly settled: readonly ScopeEntry[];
  readonly open: readonly (ScopeEntry & { readonly isExpired: boolean })[];
};

/** The counters cannot be reached, or cannot be trusted at the moment. */
export class HoldsUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HoldsUnavailableError';
  }
}
