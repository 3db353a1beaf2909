import type { Attempt, ProcessReport } from '@weir/contracts';
import { GatewayError, type ErrorCode } from '@weir/errors';
import { paceOf, readPace, readRoute, routeOf } from './route-key';
import type { MeasuredLatency } from '../resolve/order-members';
import { createLatencyBook } from './create-latency-book';
import { createOutcomeBook } from './create-outcome-book';
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
  /** What `admit` would go by now; looking changes nothing. */
  look(attempt: Attempt): RouteState;
  /** Whether an attempt may be sent now, when there are others: its route is not ejected, and its provider did not ask to wait. */
  admit(attempt: Attempt): boolean;
  ejected(): string[];
  /** All of it, for people to look at; bounded. */
  describe(): HealthDescription;
};

export type HealthDescription = Pick<ProcessReport, 'ejected' | 'outcomes' | 'latencies'>;

/** `resting`: its provider asked to be left alone for a while, with this model. */
export type RouteState = 'ready' | 'ejected' | 'resting';

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
  'provider_quota_exhausted',
  'provider_unreadable',
  'provider_unreachable',
  'provider_timeout',
  'provider_stream_cut',
]);

const REST_MS_MAX = 60_000;
const RESTS_MAX = 10_000;
/** A description is read by people and sent every few seconds. */
const EJECTED_MAX = 500;
const DESCRIBED_MAX = 1_000;

export function createRouteHealth({ now, ejection: settings }: RouteHealthOptions): RouteHealth {
  const ejection = createOutlierEjection({ now, ...(settings === undefined ? {} : { settings }) });
  const latencies = createLatencyBook({ now });
  const outcomes = createOutcomeBook({ now });
  /** Until when a provider asked to be left alone, per model. */
  const rests = new Map<string, number>();
  const restKey = (attempt: Attempt): string => `${attempt.modelId} ${routeOf(attempt)}`;

  const noteFailure = (attempt: Attempt, error: GatewayError): void => {
    const route = routeOf(attempt);
    const waitMs = (error.details.retryAfterSeconds ?? 0) * 1000;
    if (error.code === 'provider_rate_limited' && waitMs > 0) {
      if (rests.size >= RESTS_MAX) rests.clear();
      rests.set(restKey(attempt), now() + Math.min(waitMs, REST_MS_MAX));
    }
    const isFault = FAULTS.has(error.code);
    if (!isFault && error.origin !== 'provider') return;
    ejection.record(route, isFault);
    // For people, an account that is exhausted fails as well.
    outcomes.note(route, attempt.modelId, isFault || error.code === 'provider_rate_limited');
  };

  const isResting = (attempt: Attempt): boolean => (rests.get(restKey(attempt)) ?? 0) > now();

  return {
    record: (attempt, { isStream, error, firstByteMs }) => {
      if (error instanceof GatewayError) return noteFailure(attempt, error);
      if (error !== undefined) return;
      const route = routeOf(attempt);
      ejection.record(route, false);
      outcomes.note(route, attempt.modelId, false);
      if (firstByteMs !== undefined) latencies.note(paceOf(attempt, isStream), firstByteMs);
    },
    recordBegun: (attempt, { isStream, firstByteMs }) => {
      ejection.recordBegun(routeOf(attempt));
      if (firstByteMs !== undefined) latencies.note(paceOf(attempt, isStream), firstByteMs);
    },
    latencyOf: (attempt, isStream) => latencies.read(paceOf(attempt, isStream)),
    isEjected: (route) => ejection.isEjected(route),
    look: (attempt) => {
      if (ejection.isEjected(routeOf(attempt))) return 'ejected';
      return isResting(attempt) ? 'resting' : 'ready';
    },
    admit: (attempt) => !isResting(attempt) && ejection.admit(routeOf(attempt)),
    ejected: () => ejection.ejected(),
    describe: () => ({
      ejected: ejection.describe(EJECTED_MAX).map(({ route, forMs }) => ({ ...readRoute(route), forMs: Math.round(forMs) })),
      outcomes: outcomes.list(DESCRIBED_MAX).map(({ route, ...counted }) => ({ ...readRoute(route), ...counted })),
      latencies: latencies.list(DESCRIBED_MAX).map(({ pace, latency: { meanMs, samples } }) => ({
        ...readPace(pace),
        meanMs: Math.round(meanMs),
        // Whole, so that what is only getting older is not news.
        samples: Math.ceil(samples),
      })),
    }),
  };
}
