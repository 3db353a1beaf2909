import type { Filter, Measure, OverviewSearch } from './overview-search';
import type { Ranges } from './overview-range';

/** What all parts of the overview are about. */
export type View = {
  readonly search: OverviewSearch;
  readonly ranges: Ranges;
  readonly filters: readonly Filter[];
  readonly measure: Measure;
  /** What the figures are cut by. */
  readonly cut: string;
  readonly change: (next: OverviewSearch) => void;
};

export const MEASURE_NAMES: Readonly<Record<Measure, string>> = {
  spend: 'Spend',
  total_requests: 'Requests',
  input_tokens: 'Input tokens',
  output_tokens: 'Output tokens',
};
