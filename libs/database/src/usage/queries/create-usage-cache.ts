import type { UsageResponse } from '@weir/contracts';
import type { UsageQuery } from '@weir/usage';

type Usage = UsageResponse['usage'];

/** Results of usage queries: each is kept with the revision of the months it was made from, and valid for that revision only. */
export type UsageCache = {
  find(query: UsageQuery, revision: string): Usage | undefined;
  keep(query: UsageQuery, revision: string, usage: Usage): void;
};

/** Entries of all results together, and the most that one result may have: some ten megabytes. */
const ENTRIES_MAX = 50_000;
const ENTRIES_OF_ONE_MAX = 10_000;

/** Their values are of today, and no revision says when one was changed. */
const NAMES = new Set(['group_name', 'member_email']);

type Kept = { readonly revision: string; readonly usage: Usage; readonly entries: number };

export function createUsageCache(): UsageCache {
  // A Map is in order of insertion, and what is found is put in anew: the first is the one unused for longest.
  const kept = new Map<string, Kept>();
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
      return found.usage;
    },
    keep: (query, revision, usage) => {
      const count = countEntries(usage);
      if (count > ENTRIES_OF_ONE_MAX || dimensionsOf(query).some((name) => NAMES.has(name))) return;
      const key = JSON.stringify(query);
      drop(key);
      kept.set(key, { revision, usage, entries: count });
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

function countEntries(usage: Usage): number {
  return Object.values(usage).reduce((sum, { grouped_data }) => sum + 1 + (grouped_data?.length ?? 0), 1);
}
