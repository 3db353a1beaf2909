import type { UsageWarning } from './usage';

/** Times in milliseconds; null where there is none. */
export type PerformanceTimes = {
  /** Of all attempts. */
  mean: number | null;
  /** Of the requests that were looked at: as long as half of them took at most, and 95 of 100. */
  p50: number | null;
  p95: number | null;
};

/** How many requests failed, and how long they took. */
export type PerformanceEntry = {
  requests: number;
  /** Requests that ended in an error. */
  errors: number;
  /** Errors of requests, rounded to six digits; null without requests. */
  error_share: number | null;
  attempts: number;
  /** Failed attempts, those too after which another one served the request. */
  attempt_errors: number;
  /** From admission to end. */
  milliseconds: PerformanceTimes;
  /** To the first byte of the reply. */
  first_byte_milliseconds: PerformanceTimes;
};

export type GroupedPerformanceEntry = PerformanceEntry & { group_by_values: Record<string, string> };

/** Whole, or with `group_by` with its groups, those with most requests first. */
export type PerformanceEntries = PerformanceEntry & { grouped_data?: GroupedPerformanceEntry[] };

export type PerformanceResponse = {
  /** By the start of each period that has any. */
  performance: Record<string, PerformanceEntries>;
  /** Of the whole range: times of periods cannot be added up. */
  total: PerformanceEntries;
  /** Whether `p50` and `p95` are of fewer requests than there were. Everything else is of all of them. */
  is_sampled: boolean;
  /** Of how many requests the times were looked at, of how many. */
  sample: { requests: number; of: number };
  as_of?: string;
  warnings?: UsageWarning[];
};
