import { HoldsUnavailableError } from '@weir/limits';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis, RedisLog } from '../../client/create-redis';

/** Workers have this long to report their holds again, once counters were lost. */
export const SETTLING_MS = 2_000;

/** The generation that counters must carry, and the connection on which that was learnt: no other may be asked by it. */
export type TrustedCounters = { readonly id: string; readonly node: Redis };

export type HoldGeneration = {
  /**
   * By what an organization's counters may be asked now. Throws or rejects with `HoldsUnavailableError` while that is not known, or
   * workers may not have reported their holds yet.
   */
  require(organizationId: string): TrustedCounters | Promise<TrustedCounters>;
  /** Something of this organization is reported here: what it has open is no new organization's. */
  noteHeld(organizationId: string): void;
  /** The latest moment, on the clock of the server that has the counters, since when every writer has reported. */
  reportedMs(): number;
  /** Looks again now. Rejects when the server cannot be reached. */
  learn(organizationId: string): Promise<void>;
  /** What an error of these counters means: in a cluster they may have gone to another node. */
  explain(organizationId: string, error: unknown): unknown;
  /** Resolves when counters can be trusted, or the server could not be reached in time. */
  whenTrusted(timeoutMs: number): Promise<void>;
  onLoss(listener: () => void): () => void;
  close(): void;
};

type Losses = Pick<HoldGeneration, 'onLoss'> & { report(about: object): void };

export function hearLosses(log: RedisLog): Losses {
  const listeners = new Set<() => void>();
  return {
    report: (about) => {
      log.warn(about, 'the counters of limits may have lost something; they are built anew');
      for (const listener of listeners) listener();
    },
    onLoss: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const refuseAway = (): HoldsUnavailableError => new HoldsUnavailableError('the counters of limits cannot be reached');
export const refuseAnew = (): HoldsUnavailableError => new HoldsUnavailableError('the counters of limits are being built anew');

export async function waitUntilTrusted(isTrusted: () => boolean, timeoutMs: number): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (performance.now() < until && !isTrusted()) await pause(20);
}
