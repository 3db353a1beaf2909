import { identifyProcess, isKnownToHaveEnded, type DirectoryLock, type ProcessIdentity } from '@weir/directory-lock';
import { createCounterOwner, type CounterOwner, type CounterOwnerStore } from '@weir/limits';
import type { Logger } from '@weir/telemetry';
import type { StandaloneEnv } from './env';

type OwnerParts = {
  readonly store: CounterOwnerStore;
  readonly log: Logger;
  /** On the data directory. */
  readonly lock: DirectoryLock | undefined;
};

/** What is in the memory of this process, or of those that it starts, has one owner of all that use the database. */
export function openCounterOwner(env: StandaloneEnv, { store, log, lock }: OwnerParts): CounterOwner {
  return createCounterOwner({ ...describeOwner(lock), store, ttlMs: env.COUNTERS_OWNER_TTL_MS, log });
}

type OwnerFacts = { readonly holder: ProcessIdentity; readonly isGone: (other: Partial<ProcessIdentity>, silentMs: number) => boolean };

/** This process, and how it knows that another one has ended. */
export function describeOwner(lock?: DirectoryLock): OwnerFacts {
  const holder = identifyProcess(lock);
  return { holder, isGone: (other, silentMs) => isKnownToHaveEnded(other, holder, silentMs) };
}
