import { LIFETIMES } from './lifetimes';
import type { KeyDirectory } from './ports/key-directory';
import type { KeyRecord } from './ports/principal';
import { createRecordCache } from './record-cache';

type KeyCacheOptions = {
  readonly directory: KeyDirectory;
  readonly now: () => number;
  /** How long an unknown key stays unknown. */
  readonly unknownMs?: number;
  readonly entriesMax?: number;
  /** How many unknown keys are remembered as such. */
  readonly unknownMax?: number;
};

/** Keys by digest, in memory: no request waits for the database unless its key is new here. */
export type KeyCache = {
  /** Returns a cached key at once; a promise otherwise, which rejects when the directory cannot be reached. */
  find(digest: string): KeyRecord | undefined | Promise<KeyRecord | undefined>;
  /** Forgets everything that depends on an entity that changed; an unknown entity forgets nothing. */
  forget(entityId: string): void;
  forgetUnknown(): void;
  forgetAll(): void;
};

export function createKeyCache(options: KeyCacheOptions): KeyCache {
  const { directory, now } = options;
  const unknownMs = options.unknownMs ?? 30_000;
  const unknown = { freshMs: unknownMs, staleMsMax: unknownMs };
  const cache = createRecordCache<KeyRecord | undefined>({
    load: (digest) => directory.findByDigest(Buffer.from(digest, 'base64')),
    now,
    lifetimeOf: (record) => {
      if (record === undefined) return unknown;
      return record.organization.isStrict === true ? LIFETIMES.strict : LIFETIMES.usual;
    },
    entriesMax: options.entriesMax ?? 200_000,
    absentMax: options.unknownMax ?? 50_000,
  });
  return {
    find: (digest) => cache.find(digest),
    forget: (entityId) =>
      cache.forget(
        (record) =>
          record === undefined || record.apiKeyId === entityId || record.groupId === entityId || record.organizationId === entityId,
      ),
    forgetUnknown: () => cache.forget((record) => record === undefined),
    forgetAll: () => cache.forgetAll(),
  };
}
