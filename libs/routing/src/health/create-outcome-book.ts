type OutcomeBookOptions = {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly windowMs?: number;
};

/** What became of attempts at one route for one model, in this window and in the one before. */
type Counts = { windowStartMs: number; attempts: number; failures: number; attemptsBefore: number; failuresBefore: number };

export type CountedOutcomes = { readonly route: string; readonly model: string; readonly attempts: number; readonly failures: number };

type OutcomeBook = {
  note(route: string, model: string, isFailure: boolean): void;
  /** Of the window that runs and the one before; at most so many. */
  list(max: number): CountedOutcomes[];
};

const WINDOW_MS = 300_000;
const COUNTS_MAX = 10_000;

/** How many attempts of the last minutes failed, for people: nothing is decided by it. */
export function createOutcomeBook({ now, windowMs = WINDOW_MS }: OutcomeBookOptions): OutcomeBook {
  // By route and then by model, so that no text is joined for a request.
  const routes = new Map<string, Map<string, Counts>>();
  let size = 0;

  const add = (route: string, model: string): Counts => {
    if (size >= COUNTS_MAX) {
      routes.clear();
      size = 0;
    }
    const made: Counts = { windowStartMs: now(), attempts: 0, failures: 0, attemptsBefore: 0, failuresBefore: 0 };
    const models = routes.get(route) ?? new Map<string, Counts>();
    models.set(model, made);
    routes.set(route, models);
    size += 1;
    return made;
  };

  const turn = (counts: Counts): void => {
    const windows = Math.floor((now() - counts.windowStartMs) / windowMs);
    if (windows < 1) return;
    counts.attemptsBefore = windows === 1 ? counts.attempts : 0;
    counts.failuresBefore = windows === 1 ? counts.failures : 0;
    counts.attempts = 0;
    counts.failures = 0;
    counts.windowStartMs += windows * windowMs;
  };

  return {
    note: (route, model, isFailure) => {
      const counts = routes.get(route)?.get(model) ?? add(route, model);
      turn(counts);
      counts.attempts += 1;
      if (isFailure) counts.failures += 1;
    },
    list: (max) => {
      const listed: CountedOutcomes[] = [];
      for (const [route, models] of routes) {
        for (const [model, counts] of models) {
          if (listed.length >= max) return listed;
          turn(counts);
          const attempts = counts.attempts + counts.attemptsBefore;
          if (attempts > 0) listed.push({ route, model, attempts, failures: counts.failures + counts.failuresBefore });
        }
      }
      return listed;
    },
  };
}
