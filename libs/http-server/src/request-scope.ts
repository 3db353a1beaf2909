import type { EndpointRow } from '@weir/contracts';
import type { PathParams } from './find-route';
import type { RequestPriority } from './load/load-shedder';

/** What is known of a request from its first line on; handlers add what the log line should tell. */
export type RequestScope = {
  readonly id: string;
  /** UTC epoch milliseconds. */
  readonly startedAtMs: number;
  /** Monotonic milliseconds, for durations. */
  readonly startedMonotonicMs: number;
  readonly endpoint: EndpointRow;
  /** What stands in the open parts of the endpoint's path; absent or empty where it has none. */
  readonly params?: PathParams;
  /** As what it was let in. Whose it is may not have been asked then: it counted as the most important work. */
  readonly priority?: RequestPriority | undefined;
  /** Throws `overloaded` when such work must wait for better times; absent where nothing is refused for load. */
  readonly checkLoad?: ((priority: RequestPriority) => void) | undefined;
  /** Whether others are refused for load at the moment: what can be done for less is. Absent where nothing is refused. */
  readonly isCrowded?: (() => boolean) | undefined;
  /** Goes into the one log line of the request: ids, model, provider; never content or credentials. */
  readonly notes: Record<string, string | number | boolean | null>;
};
