import { readTexts, readWord } from '../../search-text';

export const PLAYGROUND_TABS = ['chat', 'images', 'speech', 'transcription'] as const;
export type PlaygroundTab = (typeof PLAYGROUND_TABS)[number];

export const LANES_MAX = 3;

/** What is looked at. What is written never stands in an address. */
export type PlaygroundSearch = { readonly tab?: Exclude<PlaygroundTab, 'chat'>; readonly model?: string[] };

export function readPlaygroundSearch(search: Record<string, unknown>): PlaygroundSearch {
  const tab = readWord(search['tab'], PLAYGROUND_TABS);
  const model = readTexts(search['model']).slice(0, LANES_MAX);
  return { ...(tab === undefined || tab === 'chat' ? {} : { tab }), ...(model.length === 0 ? {} : { model }) };
}
