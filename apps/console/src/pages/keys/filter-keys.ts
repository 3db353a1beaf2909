import { hasWords, toWords, type Findable } from '../../find-words';
import type { Key } from '../administration/lists';
import type { KeysSearch } from './keys-search';

export type Names = { readonly groups: ReadonlyMap<string, string>; readonly nowMs: number };

const SOON_MS = 14 * 86_400_000;
/** The value of a filter for keys that have none of it. */
export const NONE = 'none';

export function filterKeys(keys: readonly Key[], search: KeysSearch, names: Names): Key[] {
  const words = toWords(search.search);
  return keys.filter(
    (key) =>
      (search.group === undefined || (key.group?.id ?? NONE) === search.group) &&
      (search.member === undefined || (key.created_by?.id ?? NONE) === search.member) &&
      isInState(key, search.state, names.nowMs) &&
      (words.length === 0 || hasWords(toFindable(key, names), words)),
  );
}

function isInState(key: Key, state: KeysSearch['state'], nowMs: number): boolean {
  switch (state) {
    case undefined:
      return true;
    case 'expiring':
      return key.status === 'active' && key.expires_at !== null && Date.parse(key.expires_at) - nowMs < SOON_MS;
    case 'unlimited':
      return key.monthly_limit === 0;
    case 'unused':
      return key.last_used_at === null;
    case 'active':
    case 'expired':
      return key.status === state;
  }
}

function toFindable(key: Key, { groups }: Names): Findable {
  const labels = Object.entries(key.labels).map(([name, value]) => `${name}=${value}`);
  const group = key.group === null ? '' : (groups.get(key.group.id) ?? '');
  return { id: key.id, texts: [key.name, key.prefix, key.last4, key.created_by?.email ?? '', group, ...labels] };
}
