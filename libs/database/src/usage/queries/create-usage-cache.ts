import type { UsageQuery } from '@weir/usage';

/** Results of usage queries: each is kept with the revision of the months it was made from, and valid for that revision only. */
export type UsageCache<Result> = {
  find(query: UsageQuery, revision: string): Result | undefined;
  keep(query: UsageQuery, revision: string, result: Result): void;
};

/** Entries of all results together, and the most that one result may have: some ten megabytes. */
const ENTRIES_MAX = 50_000;
const ENTRIES_OF_ONE_MAX = 10_000;

/** Their values are of today, and no revision says when one was changed. */
const NAMES = new Set(['group_name', 'member_email']);

type Kept<Result> = { readonly revision: string; readonly result: Result; readonly entries: number };

/** `countEntries`: of what a result consists. */
export function createUsageCache<Result>(countEntries: (result: Result) => number): UsageCache<Result> {
  // A Map is in order of insertion, and what is found is put in anew: the first is the one unused for longest.
  const kept = new Map<string, Kept<Result>>();
  let entries = 0;
  const drop = (key: string): void => {
    entries -= kept.get(key)?.entries ?? 0;
    kept.delete(key);
  };
  return {
    find: (query, revision) => {
      const key = JSON.stringify(query);
      const found = kept.get(key);
      if (found?.revision !== revision) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found.result;
    },
    keep: (query, revision, result) => {
      const count = countEntries(result);
      if (count > ENTRIES_OF_ONE_MAX || dimensionsOf(query).some((name) => NAMES.has(name))) return;
      const key = JSON.stringify(query);
      drop(key);
      kept.set(key, { revision, result, entries: count });
      entries += count;
      for (const oldest of kept.keys()) {
        if (entries <= ENTRIES_MAX) break;
        drop(oldest);
      }
    },
  };
}

function dimensionsOf({ groupBy, filters = [] }: UsageQuery): string[] {
  return [...groupBy, ...filters.map(({ name }) => name)];
}
