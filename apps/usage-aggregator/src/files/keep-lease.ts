import { LostLease, type ClaimedExport } from '@weir/database';
import type { ExportParts } from './export-parts';

/** Renews a claim while it is worked on. */
export type Lease = {
  /** Aborted when the claim is lost, or may be by now: nothing more of it may reach the bucket. */
  readonly signal: AbortSignal;
  /** The claim is of another revision from now on. */
  follow(claimed: ClaimedExport): void;
  stop(): void;
};

export function keepLease(
  { exports, leaseMs, stopping }: Pick<ExportParts, 'exports' | 'leaseMs' | 'stopping'>,
  first: ClaimedExport,
): Lease {
  const lost = new AbortController();
  let claimed = first;
  let renewedMs = performance.now();
  const renew = async (): Promise<void> => {
    const askedMs = performance.now();
    try {
      await exports.renew(claimed);
      renewedMs = askedMs;
    } catch (error) {
      // A database that is away for a moment is asked again, as long as the lease certainly holds.
      if (error instanceof LostLease || performance.now() - renewedMs > leaseMs / 2) lost.abort(new LostLease());
    }
  };
  const timer = setInterval(() => void renew(), leaseMs / 6).unref();
  return {
    signal: AbortSignal.any([lost.signal, stopping]),
    follow: (next) => {
      claimed = next;
      renewedMs = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}
