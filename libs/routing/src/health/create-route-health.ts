import type { Attempt } from '@weir/contracts';
import { GatewayError, type ErrorCode } from '@weir/errors';
import { paceOf, routeOf } from './route-key';
import type { MeasuredLatency } from '../resolve/order-members';
import { createLatencyBook } from './create-latency-book';
import { createOutlierEjection, type EjectionSettings } from './create-outlier-ejection';

/** What became of an attempt, as far as its route is judged by it. */
export type AttemptOutcome = { readonly isStream: boolean; readonly error?: unknown; readonly firstByteMs?: number | undefined };

/** What one process knows of the places it sends requests to. Shared by what plans and what sends. */
export type RouteHealth = {
  record(attempt: Attempt, outcome: AttemptOutcome): void;
  /** A stream has begun: how fast, and that its route replies again. Its outcome is known when it is over. */
  recordBegun(attempt: Attempt, outcome: AttemptOutcome): void;
  latencyOf(attempt: Attempt, isStream: boolean): MeasuredLatency;
  isEjected(route: string): boolean;
  /** Whether an attempt may be sent now, when there are others: its route is not ejected, and its provider did not ask to wait. */
  admit(attempt: Attempt): boolean;
  ejected(): string[];
};

type RouteHealthOptions = {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly ejection?: Partial<EjectionSettings>;
};

/** Faults that count against the route. A refused request says nothing of it, and an exhausted account only that this account must wait. */
const FAULTS: ReadonlySet<ErrorCode> = new Set([
  'provider_failed',
  'provider_overloaded',
  'provider_credentials',
  'provider_unreadable',
  'provider_unreachable',
  'provider_timeout',
  'provider_stream_cut',
]);

const REST_MS_MAX = 60_000;
const RESTS_MAX = 10_000;

export function createRouteHealth({ now, ejection: settings }: RouteHealthOptions): RouteHealth {
  const ejection = createOutlierEjection({ now, ...(settings === undefined ? {} : { settings }) });
  const latencies = createLatencyBook({ now });
  /** Until when a provider asked to be left alone, per model. */
  const rests = new Map<string, number>();
  const restKey = (attempt: Attempt): string => `${attempt.modelId} ${routeOf(attempt)}`;

  const noteFailure = (attempt: Attempt, error: GatewayError): void => {
    const waitMs = (error.details.retryAfterSeconds ?? 0) * 1000;
    if (error.code === 'provider_rate_limited' && waitMs > 0) {
      if (rests.size >= RESTS_MAX) rests.clear();
      rests.set(restKey(attempt), now() + Math.min(waitMs, REST_MS_MAX));
    }
    if (FAULTS.has(error.code)) ejection.record(routeOf(attempt), true);
    else if (error.origin === 'provider') ejection.record(routeOf(attempt), false);
  };

  return {
    record: (attempt, { isStream, error, firstByteMs }) => {
      if (error instanceof GatewayError) return noteFailure(attempt, error);
      if (error !== undefined) return;
      ejection.record(routeOf(attempt), false);
      if (firstByteMs !== undefined) latencies.note(paceOf(attempt, isStream), firstByteMs);
    },
    recordBegun: (attempt, { isStream, firstByteMs }) => {
      ejection.recordBegun(routeOf(attempt));
      if (firstByteMs !== undefined) latencies.note(paceOf(attempt, isStream), firstByteMs);
    },
    latencyOf: (attempt, isStream) => latencies.read(paceOf(attempt, isStream)),
    isEjected: (route) => ejection.isEjected(route),
    admit: (attempt) => (rests.get(restKey(attempt)) ?? 0) <= now() && ejection.admit(routeOf(attempt)),
    ejected: () => ejection.ejected(),
  };
}
