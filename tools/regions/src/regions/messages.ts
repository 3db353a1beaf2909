/** Numbers what a region asks for, and what it says: of its lives the newest counts, and in one life the highest number. */
export type Turn = { readonly life: number; readonly number: number };

export type LeaseGrant = { readonly leaseId: string; readonly demand: Turn; readonly amount: bigint };

export type ClosedLease = {
  readonly leaseId: string;
  readonly spent: bigint;
  /** What still runs on it goes on under a smaller lease, so that the rest is free at once however long that takes. */
  readonly rest: { readonly leaseId: string; readonly amount: bigint } | null;
};

/** All that a region has, said again until the home region has confirmed it. */
export type RegionReport = {
  readonly kind: 'report';
  readonly region: string;
  /** One that was said before another, and comes after it, is worth nothing. */
  readonly said: Turn;
  /** Grants for earlier demands that are neither open nor closed here will never be accepted. */
  readonly current: Turn;
  /** The least that is of use; null: nothing is asked for. */
  readonly wanted: bigint | null;
  readonly open: readonly string[];
  readonly closed: readonly ClosedLease[];
};

export type HomeMessage =
  | ({ readonly kind: 'grant' } & LeaseGrant)
  /** What was closed is written down: it need not be said again. */
  | { readonly kind: 'confirm'; readonly leaseIds: readonly string[] }
  /** A region needs money that is left nowhere else: what is not in use is to be given back. */
  | { readonly kind: 'recall' };

export function isEarlier(one: Turn, other: Turn): boolean {
  return one.life < other.life || (one.life === other.life && one.number < other.number);
}
