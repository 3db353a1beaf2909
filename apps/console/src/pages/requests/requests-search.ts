import { readText, readTexts, readWord } from '../../search-text';

/** Filters that may have several values, any of which fits. Named as the interface names them. */
export const SEVERAL = [
  'status',
  'model',
  'model_requested',
  'provider',
  'api_key_id',
  'group_id',
  'user_id',
  'end_user',
  'endpoint',
  'modality',
  'label',
] as const;
export type SeveralFilter = (typeof SEVERAL)[number];

/** Filters of one value. */
export const SINGLE = ['id', 'min_cost', 'max_cost', 'min_ms', 'max_ms', 'start', 'end'] as const;
export type SingleFilter = (typeof SINGLE)[number];

export type RequestFilter = SeveralFilter | SingleFilter;

export const RANGES = ['1h', '24h', '7d', '30d'] as const;
export type Range = (typeof RANGES)[number];

/** `label` is `name=value`; `start` and `end` are instants and go before `range`. */
export type RequestsSearch = { readonly [Filter in SeveralFilter]?: string[] } & {
  readonly [Filter in SingleFilter]?: string;
} & { readonly range?: Range; readonly live?: 'off' };

const SHAPES: Readonly<Record<SingleFilter, RegExp>> = {
  id: /^[A-Za-z0-9._:-]{1,200}$/,
  min_cost: /^\d{1,9}(\.\d{1,12})?$/,
  max_cost: /^\d{1,9}(\.\d{1,12})?$/,
  min_ms: /^\d{1,12}$/,
  max_ms: /^\d{1,12}$/,
  start: /^\d{4}-\d\d-\d\dT\d\d:\d\d/,
  end: /^\d{4}-\d\d-\d\dT\d\d:\d\d/,
};

export function hasShape(filter: SingleFilter, text: string): boolean {
  if (!SHAPES[filter].test(text)) return false;
  return (filter !== 'start' && filter !== 'end') || !Number.isNaN(Date.parse(text));
}

/** What the address says; what it cannot mean is left out. */
export function readRequestsSearch(search: Record<string, unknown>): RequestsSearch {
  const several = SEVERAL.map((filter) => [
    filter,
    readTexts(search[filter]).filter((text) => filter !== 'label' || text.indexOf('=') > 0),
  ]);
  const single = SINGLE.map((filter) => [filter, readText(search[filter])]).filter(
    (entry): entry is [SingleFilter, string] => entry[1] !== undefined && hasShape(entry[0] as SingleFilter, entry[1]),
  );
  const range = readWord(search['range'], RANGES);
  return {
    ...(Object.fromEntries(several.filter(([, values]) => values?.length !== 0)) as Partial<Record<SeveralFilter, string[]>>),
    ...(Object.fromEntries(single) as Partial<Record<SingleFilter, string>>),
    ...(range === undefined ? {} : { range }),
    ...(search['live'] === 'off' ? { live: 'off' } : {}),
  };
}

export type AppliedFilter = { readonly filter: RequestFilter; readonly value: string };

/** One for each chip, in the order of the filters. */
export function listApplied(search: RequestsSearch): AppliedFilter[] {
  return [
    ...SEVERAL.flatMap((filter) => (search[filter] ?? []).map((value) => ({ filter, value }))),
    ...SINGLE.flatMap((filter) => {
      const value = search[filter];
      return value === undefined ? [] : [{ filter, value }];
    }),
  ];
}

export function withFilter(search: RequestsSearch, { filter, value }: AppliedFilter): RequestsSearch {
  if (isSingle(filter)) return { ...search, [filter]: value };
  return { ...search, [filter]: [...new Set([...(search[filter] ?? []), value])] };
}

export function withoutFilter(search: RequestsSearch, { filter, value }: AppliedFilter): RequestsSearch {
  const { [filter]: given, ...rest } = search;
  const left = Array.isArray(given) ? given.filter((one) => one !== value) : [];
  return left.length === 0 ? rest : { ...rest, [filter]: left };
}

/** The same view without its filters. */
export function withoutFilters({ range, live }: RequestsSearch): RequestsSearch {
  return { ...(range === undefined ? {} : { range }), ...(live === undefined ? {} : { live }) };
}

export function isSingle(filter: RequestFilter): filter is SingleFilter {
  return SINGLE.some((one) => one === filter);
}
