import { readText, readTexts, readWord } from '../../search-text';

export const MODALITIES = ['chat', 'embedding', 'image', 'speech', 'transcription'] as const;
export const RETENTIONS = ['none', 'kept', 'unstated'] as const;
export const SORTS = ['name', 'input', 'output', 'context'] as const;
export const COMPARED_MAX = 4;

export type Modality = (typeof MODALITIES)[number];
export type Retention = (typeof RETENTIONS)[number];
export type Sort = (typeof SORTS)[number];

export type ModelsSearch = {
  /** Words that are all in the id, the description or the family. */
  readonly q?: string;
  readonly modality?: Modality;
  readonly provider?: string;
  readonly feature?: string[];
  readonly region?: string;
  readonly retention?: Retention;
  readonly sort?: Sort;
  readonly compare?: string[];
  /** The one whose panel is open. */
  readonly model?: string;
  /** Which client's lines are shown there. */
  readonly client?: string;
};

/** What the address says; what it cannot mean is left out. */
export function readModelsSearch(search: Record<string, unknown>): ModelsSearch {
  const feature = readTexts(search['feature']);
  const compare = readTexts(search['compare']).slice(0, COMPARED_MAX);
  return dropUnset({
    q: readText(search['q']),
    modality: readWord(search['modality'], MODALITIES),
    provider: readText(search['provider']),
    feature: feature.length === 0 ? undefined : feature,
    region: readText(search['region']),
    retention: readWord(search['retention'], RETENTIONS),
    sort: readWord(search['sort'], SORTS),
    compare: compare.length === 0 ? undefined : compare,
    model: readText(search['model']),
    client: readText(search['client']),
  });
}

export type Change = { readonly [Name in keyof ModelsSearch]?: ModelsSearch[Name] | undefined };

/** The view with some of it changed; what becomes undefined is gone. */
export function changeSearch(search: ModelsSearch, change: Change): ModelsSearch {
  return dropUnset({ ...search, ...change });
}

/** Puts a model beside the others, or takes it away; there is no place for a fifth. */
export function toggleCompared(search: ModelsSearch, id: string): ModelsSearch {
  const old = search.compare ?? [];
  const compare = old.includes(id) ? old.filter((one) => one !== id) : [...old, id].slice(0, COMPARED_MAX);
  return changeSearch(search, { compare: compare.length === 0 ? undefined : compare });
}

function dropUnset(values: Change): ModelsSearch {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as ModelsSearch;
}
