import type { Attempt } from '@weir/contracts';
import type { GatewayError } from '@weir/errors';
import { createRetryBudget, type RetryBudget } from './health/create-retry-budget';
import type { AttemptOutcome, RouteHealth } from './health/create-route-health';
import { isSamePlace } from './health/route-key';
import { pickNext } from './pick-next';
import { planRetry, shouldTryElsewhere } from './should-try-next';

/** One attempt of a request, as the one who opens it sees it. */
export type AttemptPlace = {
  readonly attempt: Attempt;
  /** Its place in the passport, by which the meter and the hold know it. */
  readonly index: number;
  /** How many were sent, this one included. */
  readonly number: number;
  /** Call before the first byte leaves. */
  noteSent(): void;
  /** The reply has begun: what latency policies measure. */
  noteFirstByte(): void;
  /** The reply is passed on as it comes, so its beginning says nothing of its end: `noteOver` does. */
  noteStreaming(): void;
  /** A stream has come to its end, or was broken off by `error`. Not called when the request's caller left. */
  noteOver(error?: GatewayError): void;
  /** Whether the request ends with this failure: then it is the attempt that counts the request. The runner keeps to the decision. */
  endsWith(error: unknown): boolean;
};

export type AttemptsToRun = {
  readonly attempts: readonly Attempt[];
  readonly stream: boolean;
  /** UTC epoch milliseconds after which nothing is begun any more. */
  readonly deadlineMs: number;
  /** Of a request to search the web: models that can, and that its caller may use. */
  readonly searchModels?: readonly string[] | undefined;
};

type OpenedAttempt<Opened> = { readonly opened: Opened; readonly place: AttemptPlace };

export type RunWatcher = {
  /** What became of each attempt, in order. */
  onOutcome?(place: AttemptPlace, outcome: AttemptOutcome): void;
  /** The request ended with an attempt that was never sent, after others were: nothing has counted it yet. */
  onUnsent?(place: AttemptPlace, error: unknown): void;
};

export type AttemptRunner = {
  /**
   * Opens attempts until one succeeds. `open` resolves before anything reached the caller, so moving on is always safe
   * here; once it has resolved the choice is final. Rejects with the last attempt's error.
   */
  run<Opened>(plan: AttemptsToRun, open: (place: AttemptPlace) => Promise<Opened>, watcher?: RunWatcher): Promise<OpenedAttempt<Opened>>;
};

type AttemptRunnerParts = {
  readonly health: RouteHealth;
  readonly budget: RetryBudget;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** 0 ≤ number < 1. */
  readonly random: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** The error that the caller gets for what ended the request at an attempt. */
  readonly explain: (error: unknown, attempt: Attempt, plan: AttemptsToRun) => unknown;
};

const elapsed = (): number => performance.now();

/** What is absent is that of the process: its clocks, chance, and a retry budget of its own. */
export function createAttemptRunner(given: Pick<AttemptRunnerParts, 'health'> & Partial<AttemptRunnerParts>): AttemptRunner {
  const parts: AttemptRunnerParts = {
    ...{ now: Date.now, elapsed, random: Math.random, wait: waitFor, explain: (error) => error },
    budget: createRetryBudget({ now: given.elapsed ?? elapsed }),
    ...given,
  };
  return { run: (plan, open, watcher = {}) => new Run(plan, parts).finish(open, watcher) };
}

function waitFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

type Next = { readonly index: number; readonly waitMs: number };

class Run {
  private readonly left: Set<number>;
  private sent = 0;
  private triesHere = 0;

  constructor(
    private readonly plan: AttemptsToRun,
    private readonly parts: AttemptRunnerParts,
  ) {
    this.left = new Set(plan.attempts.keys());
    parts.budget.noteRequest();
  }

  async finish<Opened>(open: (place: AttemptPlace) => Promise<Opened>, watcher: RunWatcher): Promise<OpenedAttempt<Opened>> {
    for (let index = this.pick([...this.left]) ?? 0; ;) {
      this.left.delete(index);
      const place = new Place(this.attemptAt(index), index, this);
      try {
        const opened = await open(place);
        this.note(place, watcher, {});
        return { opened, place };
      } catch (error) {
        this.note(place, watcher, { error });
        const next = place.decide(error);
        if (next === undefined) throw this.reportEnd(place, error, watcher);
        index = await this.moveOn(place, next);
      }
    }
  }

  private reportEnd(place: Place, error: unknown, watcher: RunWatcher): unknown {
    if (!place.isSent && this.sent > 0) watcher.onUnsent?.(place, error);
    return this.parts.explain(error, place.attempt, this.plan);
  }

  private async moveOn({ attempt }: Place, { index, waitMs }: Next): Promise<number> {
    if (waitMs > 0) await this.parts.wait(waitMs);
    this.triesHere = isSamePlace(attempt, this.attemptAt(index)) ? this.triesHere + 1 : 0;
    return index;
  }

  noteSent(): number {
    this.sent += 1;
    return this.sent;
  }

  elapsed(): number {
    return this.parts.elapsed();
  }

  /** Where to go after a failure; undefined when the request ends with it. */
  planNext({ attempt, isSent }: Place, error: unknown): Next | undefined {
    const retry = isSent ? planRetry(error, { tries: this.triesHere, random: this.parts.random }) : undefined;
    if (retry === undefined && !shouldTryElsewhere(error, isSent)) return undefined;
    const { deadlineMs } = this.plan;
    const canWait = retry !== undefined && this.parts.now() + retry.waitMs < deadlineMs;
    const isOpen = (index: number): boolean => canWait || !isSamePlace(attempt, this.attemptAt(index));
    const index = this.parts.now() < deadlineMs ? this.pick([...this.left].filter(isOpen)) : undefined;
    if (index === undefined || (isSent && !this.parts.budget.take())) return undefined;
    return { index, waitMs: isSamePlace(attempt, this.attemptAt(index)) ? (retry?.waitMs ?? 0) : 0 };
  }

  private pick(indexes: readonly number[]): number | undefined {
    return pickNext(indexes, (index) => this.parts.health.admit(this.attemptAt(index)));
  }

  private note(place: Place, watcher: RunWatcher, { error }: { readonly error?: unknown }): void {
    const outcome: AttemptOutcome = { isStream: this.plan.stream, firstByteMs: place.firstByteMs, error };
    const isBegun = error === undefined && place.isStreaming;
    if (isBegun) this.parts.health.recordBegun(place.attempt, outcome);
    else if (place.isSent) this.parts.health.record(place.attempt, outcome);
    watcher.onOutcome?.(place, outcome);
  }

  noteOver(attempt: Attempt, error: GatewayError | undefined): void {
    this.parts.health.record(attempt, { isStream: true, error });
  }

  private attemptAt(index: number): Attempt {
    const attempt = this.plan.attempts[index];
    if (attempt === undefined) throw new RangeError(`the plan has no attempt ${index}`);
    return attempt;
  }
}

class Place implements AttemptPlace {
  isSent = false;
  isStreaming = false;
  number = 0;
  firstByteMs: number | undefined;
  private sentAtMs = 0;
  private decided: { readonly next: Next | undefined } | undefined;

  constructor(
    readonly attempt: Attempt,
    readonly index: number,
    private readonly run: Run,
  ) {}

  noteSent(): void {
    if (this.isSent) return;
    this.isSent = true;
    this.sentAtMs = this.run.elapsed();
    this.number = this.run.noteSent();
  }

  noteFirstByte(): void {
    this.firstByteMs ??= this.run.elapsed() - this.sentAtMs;
  }

  noteStreaming(): void {
    this.isStreaming = true;
  }

  noteOver(error?: GatewayError): void {
    this.run.noteOver(this.attempt, error);
  }

  endsWith(error: unknown): boolean {
    return this.decide(error) === undefined;
  }

  decide(error: unknown): Next | undefined {
    this.decided ??= { next: this.run.planNext(this, error) };
    return this.decided.next;
  }
}
