import { readText, readWord } from '../../search-text';

export const SHOWN = ['all', 'set-up', 'not-set-up', 'troubled'] as const;
export type Shown = (typeof SHOWN)[number];

export type ProvidersSearch = {
  /** Part of a name or id. */
  readonly search?: string;
  /** All unless given. */
  readonly show?: Shown;
};

export function readProvidersSearch(search: Record<string, unknown>): ProvidersSearch {
  const text = readText(search['search']);
  const show = readWord(search['show'], SHOWN);
  return { ...(text === undefined ? {} : { search: text }), ...(show === undefined ? {} : { show }) };
}
