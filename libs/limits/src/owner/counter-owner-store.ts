/** A process that owns the counters, in its own words: for the next one, and for the person that this one keeps from starting it. */
export type OwnerHolder = Readonly<Record<string, string | number | null>>;

export type OwnerClaim = {
  readonly ownerId: string;
  readonly holder: OwnerHolder;
  /** The longest silence after which it goes on owning them. */
  readonly ttlMs: number;
};

/** The owner that stands in the way of another one. */
export type OwnerAhead = {
  readonly epoch: number;
  readonly holder: OwnerHolder;
  readonly silentMs: number;
  /** From then on anyone may take over. */
  readonly leftMs: number;
};

/** `epoch` of the new owner. */
export type OwnerAnswer = { readonly epoch: number } | { readonly ahead: OwnerAhead };

/** Where it is written who owns the counters. All times are those of the database's clock. */
export type CounterOwnerStore = {
  /** `goneEpoch`: of an owner that is known to have ended. */
  take(claim: OwnerClaim, goneEpoch?: number): Promise<OwnerAnswer>;
  /** Returns false where another one has taken over, or an operator has given the counters free. */
  renew(claim: OwnerClaim, epoch: number): Promise<boolean>;
  release(ownerId: string): Promise<void>;
};
