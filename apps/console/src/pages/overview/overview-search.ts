import { readText, readTexts, readWord } from '../../search-text';
import { isDimension } from './dimensions';

export const RANGES = ['today', '7d', '30d', 'month', 'custom'] as const;
export const RESOLUTIONS = ['hour', 'day', 'month'] as const;
export const MEASURES = ['spend', 'total_requests', 'input_tokens', 'output_tokens'] as const;

/** Figures of errors and times; percentiles of requests, from their admission on. */
export const TIMINGS = ['errors', 'p50', 'p95', 'first_byte'] as const;

export type RangeName = (typeof RANGES)[number];
export type Resolution = (typeof RESOLUTIONS)[number];
export type Measure = (typeof MEASURES)[number];
export type Timing = (typeof TIMINGS)[number];
/** What is drawn and listed. */
export type Figure = Measure | Timing;

/** The view of the overview, as its address has it. What is absent is as usual. */
export type OverviewSearch = {
  readonly range?: RangeName;
  /** Of a custom range: the first and the last day, `2026-11-23`, UTC. */
  readonly from?: string;
  readonly to?: string;
  readonly by?: Resolution;
  readonly measure?: Figure;
  /** What the figures are cut by. */
  readonly cut?: string;
  /** `<dimension>=<value>` each. */
  readonly filter?: readonly string[];
};

export type Filter = { readonly dimension: string; readonly value: string };

export function readOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  const cut = readText(search['cut']);
  const filter = readTexts(search['filter']).filter((text) => readFilter(text) !== undefined);
  return withoutUndefined({
    range: readWord(search['range'], RANGES),
    from: readDay(search['from']),
    to: readDay(search['to']),
    by: readWord(search['by'], RESOLUTIONS),
    measure: readWord(search['measure'], [...MEASURES, ...TIMINGS]),
    cut: cut !== undefined && isDimension(cut) ? cut : undefined,
    filter: filter.length === 0 ? undefined : filter,
  });
}

export function readFilter(text: string): Filter | undefined {
  const at = text.indexOf('=');
  const filter = { dimension: text.slice(0, at), value: text.slice(at + 1) };
  return at > 0 && filter.value !== '' && isDimension(filter.dimension) ? filter : undefined;
}

export function readFilters({ filter = [] }: OverviewSearch): Filter[] {
  return filter.map(readFilter).filter((one) => one !== undefined);
}

export function addFilter(search: OverviewSearch, { dimension, value }: Filter): OverviewSearch {
  return { ...search, filter: [...new Set([...(search.filter ?? []), `${dimension}=${value}`])] };
}

export function removeFilter(search: OverviewSearch, { dimension, value }: Filter): OverviewSearch {
  const { filter = [], ...rest } = search;
  const left = filter.filter((text) => text !== `${dimension}=${value}`);
  return left.length === 0 ? rest : { ...rest, filter: left };
}

/** As the API takes them: values of one dimension are alternatives. */
export function groupFilters(filters: readonly Filter[]): Record<string, string[]> {
  const grouped: Record<string, string[]> = {};
  for (const { dimension, value } of filters) grouped[dimension] = [...(grouped[dimension] ?? []), value];
  return grouped;
}

function readDay(value: unknown): string | undefined {
  const text = readText(value);
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

type WithoutUndefined<Value> = { [Name in keyof Value]?: Exclude<Value[Name], undefined> };

function withoutUndefined<Value extends object>(value: Value): WithoutUndefined<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as WithoutUndefined<Value>;
}

/** A measure of usage; undefined of errors and times. */
export function findMeasure(figure: Figure): Measure | undefined {
  return MEASURES.find((measure) => measure === figure);
}

export function findTiming(figure: Figure): Timing | undefined {
  return TIMINGS.find((timing) => timing === figure);
}
