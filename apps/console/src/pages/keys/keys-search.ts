import { readText, readWord } from '../../search-text';

export const KEY_STATES = ['active', 'expired', 'expiring', 'unlimited', 'unused'] as const;
type KeyState = (typeof KEY_STATES)[number];

export type KeysSearch = {
  /** Part of a name, prefix, last characters, owner, group or label. */
  readonly search?: string;
  readonly group?: string;
  readonly member?: string;
  readonly state?: KeyState;
  /** `new` opens the dialog that makes a key. */
  readonly dialog?: 'new';
};

export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  const text = readText(search['search']);
  const group = readText(search['group']);
  const member = readText(search['member']);
  const state = readWord(search['state'], KEY_STATES);
  const dialog = readWord(search['dialog'], ['new'] as const);
  return {
    ...(text === undefined ? {} : { search: text }),
    ...(group === undefined ? {} : { group }),
    ...(member === undefined ? {} : { member }),
    ...(state === undefined ? {} : { state }),
    ...(dialog === undefined ? {} : { dialog }),
  };
}
