import type { KeyDirectory } from './ports/key-directory';
import type { KeyRecord } from './principal';

type Entry = { readonly record: KeyRecord | undefined; readonly readAtMs: number; refreshing: boolean };

export type KeyCacheOptions = {
  readonly directory: KeyDirectory;
  readonly now: () => number;
  /** After this an entry is read again in the background. */
  readonly freshMs?: number;
  /** How long an entry may serve when the directory cannot be reached. */
  readonly staleMsMax?: number;
  /** How long an unknown key stays unknown. */
  readonly unknownMs?: number;
  readonly entriesMax?: number;
};

/** Keys by digest, in memory: no request waits for the database unless its key is new here. */
export type KeyCache = {
  /** Answers at once for a cached key; a promise otherwise, which rejects when the directory cannot be reached. */
  find(digest: string): KeyRecord | undefined | Promise<KeyRecord | undefined>;
  /** Forgets everything that depends on an entity that changed; an unknown entity forgets nothing. */
  forget(entityId: string): void;
  forgetUnknown(): void;
  forgetAll(): void;
};

export function createKeyCache(options: KeyCacheOptions): KeyCache {
  const { directory, now } = options;
  const freshMs = options.freshMs ?? 10_000;
  const staleMsMax = options.staleMsMax ?? 15 * 60_000;
  const unknownMs = options.unknownMs ?? 30_000;
  const entriesMax = options.entriesMax ?? 200_000;
  const entries = new Map<string, Entry>();
  /** Bumped by every forgetting, so that a read that started before a change never caches what was true before it. */
  let generation = 0;

  const load = async (digest: string): Promise<KeyRecord | undefined> => {
    const startedAt = generation;
    const record = await directory.findByDigest(Buffer.from(digest, 'base64'));
    if (startedAt === generation) remember(digest, record);
    return record;
  };

  const remember = (digest: string, record: KeyRecord | undefined): void => {
    entries.delete(digest);
    if (entries.size >= entriesMax) {
      const oldest = entries.keys().next().value;
      if (oldest !== undefined) entries.delete(oldest);
    }
    entries.set(digest, { record, readAtMs: now(), refreshing: false });
  };

  const refresh = (digest: string, entry: Entry): void => {
    if (entry.refreshing) return;
    entry.refreshing = true;
    load(digest).then(
      () => undefined,
      () => {
        entry.refreshing = false; // the directory is out of reach: the entry serves on until staleMsMax
      },
    );
  };

  return {
    find: (digest) => {
      const entry = entries.get(digest);
      if (entry === undefined) return load(digest);
      const ageMs = now() - entry.readAtMs;
      if (entry.record === undefined) return ageMs < unknownMs ? undefined : load(digest);
      if (ageMs < freshMs) return entry.record;
      if (ageMs >= staleMsMax) return load(digest);
      refresh(digest, entry);
      return entry.record;
    },
    forget: (entityId) => {
      generation += 1;
      for (const [digest, { record }] of entries) {
        if (record === undefined || record.apiKeyId === entityId || record.groupId === entityId || record.organizationId === entityId)
          entries.delete(digest);
      }
    },
    forgetUnknown: () => {
      generation += 1;
      for (const [digest, { record }] of entries) if (record === undefined) entries.delete(digest);
    },
    forgetAll: () => {
      generation += 1;
      entries.clear();
    },
  };
}
