import { readText, readWord } from '../../search-text';

export type GroupsSearch = {
  /** Part of a name or label. */
  readonly search?: string;
  readonly dialog?: 'new';
};

export function readGroupsSearch(search: Record<string, unknown>): GroupsSearch {
  const text = readText(search['search']);
  const dialog = readWord(search['dialog'], ['new'] as const);
  return { ...(text === undefined ? {} : { search: text }), ...(dialog === undefined ? {} : { dialog }) };
}
