import { readText, readWord } from '../../search-text';

export type MembersSearch = { readonly search?: string; readonly dialog?: 'invite' };

export function readMembersSearch(search: Record<string, unknown>): MembersSearch {
  const text = readText(search['search']);
  const dialog = readWord(search['dialog'], ['invite'] as const);
  return { ...(text === undefined ? {} : { search: text }), ...(dialog === undefined ? {} : { dialog }) };
}
