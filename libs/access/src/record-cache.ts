import type { Lifetime } from './lifetimes';

type RecordCacheOptions<Value> = {
  readonly load: (key: string) => Promise<Value>;
  readonly now: () => number;
  /** After `freshMs` a record is read again in the background; from `staleMsMax` on nothing is returned without reading. */
  readonly lifetimeOf: (value: Value) => Lifetime;
  readonly entriesMax: number;
  /** Entries of records that do not exist: made-up keys of strangers must not push out real records. `entriesMax` by default. */
  readonly absentMax?: number;
};

/** Records of a store, in memory: no request waits for the store unless its record is new here. */
export type RecordCache<Value> = {
  /** Returns a cached record at once; a promise otherwise, which rejects when the store cannot be reached. */
  find(key: string): Value | Promise<Value>;
  /**
   * What is forgotten is not returned again. The records in it that were read last are read anew at once, while the store can still be
   * reached: one that is away a moment later would have every request refused until it is back.
   */
  forget(isChanged: (value: Value, key: string) => boolean): void;
  forgetKey(key: string): void;
  forgetAll(): void;
};

/** So many records are read anew after one change, and so many at a time. */
const RENEWED_MAX = 1_000;
const RENEWED_AT_ONCE = 4;
/** A record that changed again while it was read is read again. */
const RENEWALS_MAX = 5;

type Entry<Value> = { readonly value: Value; readonly readAtMs: number; refreshing: boolean };

export function createRecordCache<Value>(options: RecordCacheOptions<Value>): RecordCache<Value> {
  const { load, now, lifetimeOf, entriesMax, absentMax = entriesMax } = options;
  const entries = new Map<string, Entry<Value>>();
  const absent = new Map<string, Entry<Value>>();
  const reading = new Map<string, { readonly value: Promise<Value>; readonly generation: number }>();
  /** Bumped by every forgetting, so that a read that started before a change never caches what was true before it. */
  let generation = 0;

  const readNow = async (key: string): Promise<Value> => {
    const startedAt = generation;
    const value = await load(key);
    if (startedAt === generation) remember(key, value);
    return value;
  };

  /** Callers that ask for the same record meanwhile wait for the same read, unless something changed since it began. */
  const read = (key: string): Promise<Value> => {
    const running = reading.get(key);
    if (running?.generation === generation) return running.value;
    const mine = { value: readNow(key), generation };
    reading.set(key, mine);
    const end = (): void => {
      if (reading.get(key) === mine) reading.delete(key);
    };
    mine.value.then(end, end);
    return mine.value;
  };

  const remember = (key: string, value: Value): void => {
    entries.delete(key);
    absent.delete(key);
    const [kept, max] = value === undefined ? [absent, absentMax] : [entries, entriesMax];
    if (kept.size >= max) {
      const oldest = kept.keys().next().value;
      if (oldest !== undefined) kept.delete(oldest);
    }
    kept.set(key, { value, readAtMs: now(), refreshing: false });
  };

  const refresh = (key: string, entry: Entry<Value>): void => {
    if (entry.refreshing) return;
    entry.refreshing = true;
    const end = (): void => {
      entry.refreshing = false; // out of reach, or changed meanwhile: the entry serves on until staleMsMax
    };
    read(key).then(end, end);
  };

  const renew = createRenewal(read, (key) => entries.has(key) || absent.has(key));

  return {
    find: (key) => {
      const entry = entries.get(key) ?? absent.get(key);
      if (entry === undefined) return read(key);
      const ageMs = now() - entry.readAtMs;
      const { freshMs, staleMsMax } = lifetimeOf(entry.value);
      if (ageMs < freshMs) return entry.value;
      if (ageMs >= staleMsMax) return read(key);
      refresh(key, entry);
      return entry.value;
    },
    forget: (isChanged) => {
      generation += 1;
      removeChanged(absent, isChanged);
      renew(removeChanged(entries, isChanged));
    },
    forgetKey: (key) => {
      generation += 1;
      absent.delete(key);
      if (entries.delete(key)) renew([key]);
    },
    forgetAll: () => {
      generation += 1;
      entries.clear();
      absent.clear();
    },
  };
}

/** Returns the keys of what was removed, in their order. */
function removeChanged<Value>(kept: Map<string, Entry<Value>>, isChanged: (value: Value, key: string) => boolean): string[] {
  const changed: string[] = [];
  for (const [key, { value }] of kept) if (isChanged(value, key)) changed.push(key);
  for (const key of changed) kept.delete(key);
  return changed;
}

/** Reads records anew that were forgotten and may be asked for again: those at the end of the list first. */
function createRenewal(read: (key: string) => Promise<unknown>, isRead: (key: string) => boolean): (keys: readonly string[]) => void {
  let due: string[] = [];
  let renewing = 0;
  const renewDue = async (): Promise<void> => {
    for (let key = due.pop(); key !== undefined; key = due.pop()) {
      try {
        for (let count = 0; count < RENEWALS_MAX && !isRead(key); count += 1) await read(key);
      } catch {
        due = []; // the store is away: each of them is read when it is asked for, and that says why it cannot be had
      }
    }
  };
  return (keys) => {
    due = [...new Set([...due, ...keys])].slice(-RENEWED_MAX);
    while (renewing < RENEWED_AT_ONCE && due.length > 0) {
      renewing += 1;
      void renewDue().finally(() => (renewing -= 1));
    }
  };
}
