import { findRows } from '../../find-words';
import { listLabels } from '../administration/labels';
import type { Key } from '../administration/lists';
import type { KeysSearch } from './keys-search';

export type Names = { readonly groups: ReadonlyMap<string, string>; readonly nowMs: number };

const SOON_MS = 14 * 86_400_000;
/** The value of a filter for keys that have none of it. */
export const NONE = 'none';

export function filterKeys(keys: readonly Key[], search: KeysSearch, names: Names): Key[] {
  const fitting = keys.filter(
    (key) =>
      (search.group === undefined || (key.group?.id ?? NONE) === search.group) &&
      (search.member === undefined || (key.created_by?.id ?? NONE) === search.member) &&
      isInState(key, search.state, names.nowMs),
  );
  return findRows(fitting, search.search, (key) => ({ id: key.id, texts: listTexts(key, names) }));
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

function listTexts(key: Key, { groups }: Names): string[] {
  const group = key.group === null ? '' : (groups.get(key.group.id) ?? '');
  return [key.name, key.prefix, key.last4, key.created_by?.email ?? '', group, ...listLabels(key.labels)];
}
