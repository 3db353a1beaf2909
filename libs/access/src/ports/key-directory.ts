import type { KeyRecord } from './principal';

/**
 * Where keys are looked up, by HMAC-SHA256(pepper, key), 32 bytes; while a pepper takes the place of another, by both of
 * them (`createKeyDigests`). The key itself never gets here.
 */
export type KeyDirectory = {
  /** Returns undefined for an unknown key; throws when the store cannot be reached. */
  findByDigest(digests: Buffer): Promise<KeyRecord | undefined>;
};

/** Where an administrator's own keys are looked up by what they are known by: their id, not their secret. */
export type KeyLookup = {
  /** Returns undefined for an id that is not one of this organization's keys; throws when the store cannot be reached. */
  findById(organizationId: string, apiKeyId: string): Promise<KeyRecord | undefined>;
};

/** One change that makes something cached wrong. */
export type ConfigChange = {
  readonly sequence: bigint;
  readonly entity:
    'api-key' | 'group' | 'access-list' | 'organization' | 'policy' | 'alias' | 'guardrail' | 'limit' | 'provider-credential';
  readonly entityId: string;
  readonly organizationId: string;
};

/** The log of changes, in commit order; polled, so that a lost push is never a lost change. */
export type ChangeLog = {
  latestSequence(): Promise<bigint>;
  /** Returns the changes after `sequence`, oldest first, at most 1,000. */
  changesAfter(sequence: bigint): Promise<readonly ConfigChange[]>;
};
