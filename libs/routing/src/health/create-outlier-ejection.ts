type EjectionOptions = {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly settings?: Partial<EjectionSettings>;
};

export type EjectionSettings = {
  /** So many failures in a row eject a route. */
  readonly consecutiveFailures: number;
  /** So do failures of this share of the last outcomes, once there are enough of them within the window. */
  readonly failureShare: number;
  readonly outcomesMin: number;
  readonly windowMs: number;
  /** How long the first time; the second time twice as long, and so on up to the longest. */
  readonly ejectionMs: number;
  readonly ejectionMsMax: number;
  /** A probe without a result within this time is given to another request. */
  readonly probeMs: number;
};

const EJECTION_SETTINGS: EjectionSettings = {
  consecutiveFailures: 5,
  failureShare: 0.5,
  outcomesMin: 20,
  windowMs: 10_000,
  ejectionMs: 30_000,
  ejectionMsMax: 300_000,
  probeMs: 30_000,
};

/** Which routes are left out for a while, because what was sent there failed. */
type OutlierEjection = {
  /** Whether a route is left out now; looking changes nothing. */
  isEjected(route: string): boolean;
  /**
   * Whether a request may be sent to the route now. After an ejection is over one request may, and all others wait for
   * what becomes of it.
   */
  admit(route: string): boolean;
  record(route: string, isFailure: boolean): void;
  /** The route has begun to reply; the outcome is not known yet: ends an ejection, and counts for nothing else. */
  recordBegun(route: string): void;
  /** Routes left out now, for metrics. */
  ejected(): string[];
  /** The same with how long still, at most so many; 0 while a probe is waited for. */
  describe(max: number): { readonly route: string; readonly forMs: number }[];
};

type RouteState = {
  failuresInARow: number;
  /** Outcomes of the current window. */
  windowStartMs: number;
  outcomes: number;
  failures: number;
  /** How often it was ejected; one less for each ejection time that passed in health. */
  ejections: number;
  /** Null while it is not ejected. */
  ejectedUntilMs: number | null;
  probedAtMs: number | null;
  restoredAtMs: number;
};

const ROUTES_MAX = 10_000;

export function createOutlierEjection({ now, settings }: EjectionOptions): OutlierEjection {
  const rules = { ...EJECTION_SETTINGS, ...settings };
  const routes = new Map<string, RouteState>();

  const stateOf = (route: string): RouteState => {
    let state = routes.get(route);
    if (state === undefined) {
      if (routes.size >= ROUTES_MAX) forgetOldest(routes);
      state = {
        ...{ failuresInARow: 0, windowStartMs: now(), outcomes: 0, failures: 0 },
        ...{ ejections: 0, ejectedUntilMs: null, probedAtMs: null, restoredAtMs: now() },
      };
      routes.set(route, state);
    }
    return state;
  };

  const eject = (state: RouteState): void => {
    const healthyMs = now() - state.restoredAtMs;
    const forgiven = Math.floor(healthyMs / rules.ejectionMs);
    state.ejections = Math.max(0, state.ejections - forgiven) + 1;
    state.ejectedUntilMs = now() + Math.min(rules.ejectionMsMax, rules.ejectionMs * state.ejections);
    state.probedAtMs = null;
    // It ends where the next health begins: an ejection is no time of health.
    state.restoredAtMs = state.ejectedUntilMs;
    resetCounts(state, now());
  };

  const isWaiting = (state: RouteState): boolean => {
    if (state.ejectedUntilMs === null) return false;
    if (now() < state.ejectedUntilMs) return true;
    return state.probedAtMs !== null && now() - state.probedAtMs < rules.probeMs;
  };

  const count = (state: RouteState, isFailure: boolean): void => {
    if (now() - state.windowStartMs >= rules.windowMs) {
      state.windowStartMs = now();
      state.outcomes = 0;
      state.failures = 0;
    }
    state.outcomes += 1;
    state.failures += isFailure ? 1 : 0;
    state.failuresInARow = isFailure ? state.failuresInARow + 1 : 0;
  };

  return {
    isEjected: (route) => {
      const state = routes.get(route);
      return state !== undefined && isWaiting(state);
    },
    admit: (route) => {
      const state = routes.get(route);
      if (state?.ejectedUntilMs == null) return true;
      if (isWaiting(state)) return false;
      state.probedAtMs = now();
      return true;
    },
    record: (route, isFailure) => {
      if (!isFailure && !routes.has(route)) return;
      const state = stateOf(route);
      if (state.ejectedUntilMs !== null) {
        // What was sent before the ejection decides nothing; only a probe does, or a request that had no other route.
        if (now() < state.ejectedUntilMs && isFailure) return;
        if (isFailure) eject(state);
        else restore(state, now());
        return;
      }
      count(state, isFailure);
      const isOften = state.outcomes >= rules.outcomesMin && state.failures >= rules.failureShare * state.outcomes;
      if (isFailure && (state.failuresInARow >= rules.consecutiveFailures || isOften)) eject(state);
    },
    recordBegun: (route) => endEjection(routes.get(route), now()),
    ejected: () => [...routes].filter(([, state]) => isWaiting(state)).map(([route]) => route),
    describe: (max) => listSome(routes, max, isWaiting).map(([route, state]) => ({ route, forMs: leftOf(state, now()) })),
  };
}

function listSome(routes: ReadonlyMap<string, RouteState>, max: number, isListed: (state: RouteState) => boolean): [string, RouteState][] {
  const listed: [string, RouteState][] = [];
  for (const entry of routes) {
    if (listed.length >= max) break;
    if (isListed(entry[1])) listed.push(entry);
  }
  return listed;
}

function leftOf({ ejectedUntilMs }: RouteState, nowMs: number): number {
  return Math.max(0, (ejectedUntilMs ?? 0) - nowMs);
}

function endEjection(state: RouteState | undefined, nowMs: number): void {
  if (state !== undefined && state.ejectedUntilMs !== null) restore(state, nowMs);
}

function restore(state: RouteState, nowMs: number): void {
  state.ejectedUntilMs = null;
  state.probedAtMs = null;
  state.restoredAtMs = nowMs;
  resetCounts(state, nowMs);
}

function resetCounts(state: RouteState, nowMs: number): void {
  state.failuresInARow = 0;
  state.outcomes = 0;
  state.failures = 0;
  state.windowStartMs = nowMs;
}

function forgetOldest(routes: Map<string, RouteState>): void {
  const oldest = routes.keys().next().value;
  if (oldest !== undefined) routes.delete(oldest);
}
