import type { ModelGuard, Principal } from '@weir/access';
import { visitTools } from '@weir/canonical';
import type { ModelRecord } from '@weir/model-catalog';
import { SEARCH_PROVIDERS } from '@weir/providers';
import type { Ruling } from './rule-request';

const NAMED_MAX = 2;

/** Whether a request, in any of the dialects, offers the model a search of the web. */
export function asksForSearch(body: Record<string, unknown>): boolean {
  const { web_search_options: options } = body;
  let asks = options !== undefined && options !== null;
  visitTools(body, ({ type }) => {
    asks ||= isSearch(type);
  });
  return asks;
}

function isSearch(type: unknown): boolean {
  return typeof type === 'string' && type.startsWith('web_search');
}

type SearchAsk = {
  readonly principal: Principal;
  readonly ruling: Pick<Ruling, 'map' | 'checkRecord'>;
  readonly guard: Pick<ModelGuard, 'isAllowed'>;
};

/** Models that search the web and that this caller may use here, to be named where the chosen one cannot: its own vendor's first. */
export function listSearchModels(chosen: ModelRecord, { principal, ruling, guard }: SearchAsk): string[] {
  const { catalog, isRoutable } = ruling.map;
  const canSearch = (record: ModelRecord): boolean => SEARCH_PROVIDERS.has(record.provider) && catalog.facts(record).supportsWebSearch;
  if (canSearch(chosen)) return [];
  const usable = catalog
    .list(chosen.modality)
    .filter(
      (record) =>
        canSearch(record) &&
        isRoutable(record.provider, record.modality) &&
        guard.isAllowed(principal, record) &&
        ruling.checkRecord(record) === undefined,
    );
  const distance = (record: ModelRecord): number =>
    Number(record.canonicalName !== chosen.canonicalName) + Number(record.vendor !== chosen.vendor);
  return [...usable]
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, NAMED_MAX)
    .map(({ id }) => id);
}
