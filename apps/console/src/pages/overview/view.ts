import type { Figure, Filter, Measure, OverviewSearch, Timing } from './overview-search';
import type { Ranges } from './overview-range';

/** What all parts of the overview are about. */
export type View = {
  readonly search: OverviewSearch;
  readonly ranges: Ranges;
  readonly filters: readonly Filter[];
  /** What usage is ordered by: spend while errors or times are looked at. */
  readonly measure: Measure;
  /** Which of errors and times is looked at, if any. */
  readonly timing: Timing | undefined;
  /** What the figures are cut by. */
  readonly cut: string;
  readonly change: (next: OverviewSearch) => void;
};

export const FIGURE_NAMES: Readonly<Record<Figure, string>> = {
  spend: 'Spend',
  total_requests: 'Requests',
  input_tokens: 'Input tokens',
  output_tokens: 'Output tokens',
  errors: 'Errors',
  p50: 'Latency, p50',
  p95: 'Latency, p95',
  first_byte: 'First byte, p50',
};
