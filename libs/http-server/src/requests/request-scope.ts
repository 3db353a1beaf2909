import type { EndpointRow } from '@weir/contracts';
import type { RunningSpan } from '@weir/telemetry';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestNotes } from './request-notes';
import type { RequestPriority } from './request-priority';

/** The parts of a path that a route leaves open, by name. */
export type PathParams = Readonly<Record<string, string>>;

/** What is known of a request from its first line on; handlers add notes for the log line. */
export type RequestScope = {
  readonly id: string;
  /** UTC epoch milliseconds. */
  readonly startedAtMs: number;
  /** Monotonic milliseconds, for durations. */
  readonly startedMonotonicMs: number;
  readonly endpoint: EndpointRow;
  /** What stands in the open parts of the endpoint's path; absent or empty where it has none. */
  readonly params?: PathParams;
  /** The priority it was admitted with. Whose it is may not have been known then: it counted as `paid`. */
  readonly priority?: RequestPriority | undefined;
  /** Throws `overloaded` when requests of such a priority are refused; absent where nothing is refused for load. */
  readonly checkLoad?: ((priority: RequestPriority, caller?: string) => void) | undefined;
  /** Whether others are refused for load at the moment: then cheaper ways are taken. Absent where nothing is refused. */
  readonly isCrowded?: (() => boolean) | undefined;
  readonly notes: RequestNotes;
  /** Absent where nothing is traced. */
  span?: Pick<RunningSpan, 'traceparent'> | undefined;
};

/** A request that the server is serving. */
export type ServedRequest = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly scope: RequestScope };
