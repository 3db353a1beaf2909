import type { EndpointRow } from '@weir/contracts';

/** What is known of a request from its first line on; handlers add what the log line should tell. */
export type RequestScope = {
  readonly id: string;
  /** UTC epoch milliseconds. */
  readonly startedAtMs: number;
  /** Monotonic milliseconds, for durations. */
  readonly startedMonotonicMs: number;
  readonly endpoint: EndpointRow;
  /** Goes into the one log line of the request: ids, model, provider; never content or credentials. */
  readonly notes: Record<string, string | number | boolean | null>;
};
