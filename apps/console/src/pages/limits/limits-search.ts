import { readText, readWord } from '../../search-text';

export type LimitsSearch = {
  /** Part of a name, or of whom it is about. */
  readonly search?: string;
  /** As the interface names them; what it does not know, the page leaves out: the list of them comes with it. */
  readonly scope?: string;
  readonly measure?: string;
  readonly dialog?: 'new';
  /** The limit that is open. */
  readonly limit?: string;
  /** Of those who do not administer: the key of theirs that is looked at; the one they are signed in with, unless given. */
  readonly key?: string;
};

export function readLimitsSearch(search: Record<string, unknown>): LimitsSearch {
  const read = {
    search: readText(search['search']),
    scope: readText(search['scope']),
    measure: readText(search['measure']),
    dialog: readWord(search['dialog'], ['new'] as const),
    limit: readText(search['limit']),
    key: readText(search['key']),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}
