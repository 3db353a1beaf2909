import type { Attempt } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { AttemptPlace, AttemptRunner, AttemptsToRun, FailureNext, OpenAttempt, RunSteps, RunWatcher } from './attempt-runner';
import { createRetryBudget, type RetryBudget } from './health/create-retry-budget';
import type { AttemptOutcome, RouteHealth } from './health/create-route-health';
import { isSamePlace } from './health/route-key';
import { createNoPacing, type Pacing, type ReplyHeaders } from './pacing/create-pacing';
import type { PacedAccount, Turn } from './pacing/paced-account';
import { describeShare } from './pacing/describe-share';
import { hasAccounts, steerAccounts } from './pacing/steer-accounts';
import { pickNext } from './pick-next';
import { planRetry, shouldTryElsewhere } from './should-try-next';

type AttemptRunnerParts = {
  readonly health: RouteHealth;
  readonly budget: RetryBudget;
  readonly pacing: Pacing;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** 0 ≤ number < 1. */
  readonly random: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** An attempt failed before anything reached the caller: with what error code, and what follows it. */
  readonly onFailed: (attempt: Attempt, code: string, next: FailureNext) => void;
  /** Asked once of a request whose attempt leads to what is not known here: whether it is by now. */
  readonly learnModels?: () => Promise<boolean>;
  /** The error that the caller gets for what ended the request at an attempt. */
  readonly explain: (error: unknown, attempt: Attempt, plan: AttemptsToRun) => unknown;
};

const elapsed = (): number => performance.now();

/** What is absent is that of the process: its clocks, chance, a retry budget of its own, and no waiting. */
export function createAttemptRunner(given: Pick<AttemptRunnerParts, 'health'> & Partial<AttemptRunnerParts>): AttemptRunner {
  const parts: AttemptRunnerParts = {
    ...{ now: Date.now, elapsed, random: Math.random, wait: waitFor, explain: (error) => error },
    budget: createRetryBudget({ now: given.elapsed ?? elapsed }),
    pacing: createNoPacing(),
    onFailed: () => undefined,
    ...given,
  };
  return {
    run: (plan, open, watcher = {}) => new Run(plan, parts).start({ open, finish: (opened, place) => ({ opened, place }) }, watcher),
    runToEnd: (plan, steps, watcher = {}) => new Run(plan, parts).start(steps, watcher),
  };
}

function waitFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

type Next = { readonly index: number; readonly waitMs: number };

/** A request that is refused so often is one that the provider refuses for itself. */
const REFUSALS_MAX = 5;
/** A hold is begun so long before it may be given back at the latest. */
const BEGIN_MARGIN_MS = 1_000;

class Run {
  /** Places in the plan that were not tried yet. */
  private left: readonly number[];
  private sent = 0;
  private triesHere = 0;
  private queuedMs = 0;
  private refusals = 0;
  private lastRefusal: GatewayError | undefined;
  private hasLearnt = false;

  constructor(
    private readonly plan: AttemptsToRun,
    private readonly parts: AttemptRunnerParts,
  ) {
    this.left = plan.attempts.map((_, index) => index);
    parts.budget.noteRequest();
  }

  start<Opened, Done>(steps: RunSteps<Opened, Done>, watcher: RunWatcher): Promise<Done> {
    return this.begin(this.pick(this.left) ?? 0, steps, watcher);
  }

  /** Plain functions and one promise: most requests end with their first attempt, and wait for nothing before it. */
  private begin<Opened, Done>(index: number, steps: RunSteps<Opened, Done>, watcher: RunWatcher): Promise<Done> {
    this.left = this.left.filter((other) => other !== index);
    const place = new Place(this.attemptAt(index), index, this);
    const account = this.parts.pacing.find(place.attempt);
    if (account === undefined) return this.open(place, steps, watcher);
    return this.takeTurn(place, account, watcher).then(() => this.open(place, steps, watcher));
  }

  private open<Opened, Done>(place: Place, steps: RunSteps<Opened, Done>, watcher: RunWatcher): Promise<Done> {
    return openAt(place, steps.open).then(
      (opened) => {
        place.endTurn();
        this.note(place, watcher, {});
        return steps.finish(opened, place);
      },
      (error: unknown) => this.goOn(place, error, { steps, watcher }),
    );
  }

  /** After a failed attempt: makes the next one, or ends the request. */
  private async goOn<Opened, Done>(
    place: Place,
    error: unknown,
    { steps, watcher }: { readonly steps: RunSteps<Opened, Done>; readonly watcher: RunWatcher },
  ): Promise<Done> {
    place.endTurn();
    // Waits only where there is something to learn: what a refusal says of its account counts at once.
    const learnt = this.learns(place, error);
    if (learnt instanceof Promise ? await learnt : learnt) return this.begin(place.index, steps, watcher);
    this.note(place, watcher, { error });
    const next = place.decide(error);
    this.reportFailure(place, error, next);
    if (next === undefined) throw this.reportEnd(place, error, watcher);
    return this.begin(await this.moveOn(place, next), steps, watcher);
  }

  /** Waits for the turn of this request at an account that its provider limits. Throws what ends the request where there is none in time. */
  private async takeTurn(place: Place, account: PacedAccount, watcher: RunWatcher): Promise<void> {
    const sinceMs = this.parts.now();
    const asked = account.enter({
      share: describeShare(this.plan),
      untilMs: this.queueUntilMs(sinceMs),
      isAgain: this.refusals > 0,
      onLeave: watcher.onLeave === undefined ? undefined : (listener) => watcher.onLeave?.(listener),
    });
    if (asked instanceof Promise) {
      place.turn = await asked.catch((reason: unknown) => {
        // What was sent before was no one's last word: this ends the request, and counts it.
        if (this.sent > 0) watcher.onUnsent?.(place, reason);
        throw reason;
      });
      this.queuedMs += this.parts.now() - sinceMs;
      watcher.onQueued?.(this.queuedMs);
    } else place.turn = asked;
    if (place.turn !== undefined) return;
    const error = this.lastRefusal ?? describeBusy(account.readyAtMs() - this.parts.now());
    watcher.onUnsent?.(place, error);
    throw this.parts.explain(error, place.attempt, this.plan);
  }

  private queueUntilMs(nowMs: number): number {
    const untilMs = Math.min(nowMs + this.parts.pacing.queueMs - this.queuedMs, this.plan.deadlineMs);
    const isBegun = this.sent > 0;
    const { hold } = this.plan;
    return isBegun || hold === undefined || hold === null ? untilMs : Math.min(untilMs, hold.beginByMs - BEGIN_MARGIN_MS);
  }

  /** Not of requests whose callers have left, and not of faults of this gateway's own. */
  private reportFailure({ attempt, isSent }: Place, error: unknown, next: Next | undefined): void {
    if (!isSent || !(error instanceof GatewayError) || error.origin !== 'provider') return;
    const other = next === undefined ? undefined : this.attemptAt(next.index);
    const follows = other === undefined ? 'none' : isSamePlace(attempt, other) ? 'retry' : 'fallback';
    this.parts.onFailed(attempt, error.code, follows);
  }

  /** The one who planned the request may have heard of a model before this process did: nothing was sent, so the attempt is made again. */
  private learns({ isSent }: Place, error: unknown): boolean | Promise<boolean> {
    const { learnModels } = this.parts;
    const isUnknown = error instanceof GatewayError && error.code === 'provider_not_configured';
    if (learnModels === undefined || this.hasLearnt || isSent || !isUnknown) return false;
    this.hasLearnt = true;
    return learnModels();
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

  hasOthers(): boolean {
    return this.left.length > 0 && this.parts.now() < this.plan.deadlineMs;
  }

  elapsed(): number {
    return this.parts.elapsed();
  }

  noteServed({ attempt, turn }: Place, headers: ReplyHeaders): void {
    this.parts.pacing.noteServed(attempt, turn, headers);
  }

  /** Where to go after a failure; undefined when the request ends with it. */
  planNext(place: Place, error: unknown): Next | undefined {
    const again = this.planAgain(place, error);
    if (again !== undefined && !this.isReadyElsewhere(place.attempt)) return again;
    return this.planOther(place, error) ?? again;
  }

  /** The same attempt once more, when the account has a turn for it: where its provider refused it for its rate, and took nothing of it. */
  private planAgain({ attempt, index, isTaken, turn, headers }: Place, error: unknown): Next | undefined {
    if (!(error instanceof GatewayError) || error.code !== 'provider_rate_limited') return undefined;
    // The provider says that trying again does not help: it is this request that it refuses.
    if (headers?.['x-should-retry'] === 'false') return undefined;
    const { pacing } = this.parts;
    pacing.noteRefused(attempt, turn, { headers, retryAfterSeconds: error.details.retryAfterSeconds });
    this.refusals += 1;
    this.lastRefusal = error;
    const account = pacing.find(attempt);
    if (isTaken || account === undefined || this.refusals > REFUSALS_MAX) return undefined;
    const untilMs = this.queueUntilMs(this.parts.now());
    return account.readyAtMs() <= untilMs && this.parts.now() < untilMs ? { index, waitMs: 0 } : undefined;
  }

  private isReadyElsewhere(attempt: Attempt): boolean {
    const nowMs = this.parts.now();
    for (const index of this.left) {
      const other = this.attemptAt(index);
      if (isSamePlace(attempt, other)) continue;
      if (this.parts.pacing.readyAtMs(other) <= nowMs && this.parts.health.look(other) === 'ready') return true;
    }
    return false;
  }

  private planOther({ attempt, isSent }: Place, error: unknown): Next | undefined {
    const retry = isSent ? planRetry(error, { tries: this.triesHere, random: this.parts.random }) : undefined;
    if (retry === undefined && !shouldTryElsewhere(error, isSent)) return undefined;
    const { deadlineMs } = this.plan;
    const canWait = retry !== undefined && this.parts.now() + retry.waitMs < deadlineMs;
    const isOpen = (index: number): boolean => canWait || !isSamePlace(attempt, this.attemptAt(index));
    const index = this.parts.now() < deadlineMs ? this.pick(this.left.filter(isOpen)) : undefined;
    if (index === undefined || (isSent && !this.parts.budget.take())) return undefined;
    return { index, waitMs: isSamePlace(attempt, this.attemptAt(index)) ? (retry?.waitMs ?? 0) : 0 };
  }

  private pick(indexes: readonly number[]): number | undefined {
    if (indexes.length < 2) return indexes[0];
    const { pacing, health } = this.parts;
    const { attempts } = this.plan;
    const ordered = hasAccounts(attempts) ? steerAccounts(indexes, attempts, (attempt) => pacing.tenthsLeft(attempt)) : indexes;
    const nowMs = this.parts.now();
    return pickNext(
      ordered,
      (index) => pacing.readyAtMs(this.attemptAt(index)) <= nowMs && health.admit(this.attemptAt(index)),
      (index) => pacing.readyAtMs(this.attemptAt(index)),
    );
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

/** Makes an attempt that cannot even be begun one that fails. */
function openAt<Opened>(place: Place, open: OpenAttempt<Opened>): Promise<Opened> {
  try {
    return open(place);
  } catch (error) {
    return Promise.reject(error as Error);
  }
}

function describeBusy(afterMs: number): GatewayError {
  return new GatewayError(
    'provider_rate_limited',
    'The provider allows no more requests of this account at the moment. Try again shortly.',
    {
      retryAfterSeconds: Math.max(1, Math.ceil(afterMs / 1000)),
    },
  );
}

class Place implements AttemptPlace {
  isSent = false;
  /** The provider began to reply with success: what it did may cost. */
  isTaken = false;
  turn: Turn | undefined;
  headers: ReplyHeaders | undefined;
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

  noteReply({ status, headers }: { readonly status: number; readonly headers: ReplyHeaders }): void {
    this.headers = headers;
    if (status < 200 || status >= 300) return;
    this.isTaken = true;
    this.run.noteServed(this, headers);
  }

  endTurn(): void {
    if (this.turn !== undefined) this.turn.account.noteEnded(this.turn);
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

  mayBeFollowed(): boolean {
    return this.run.hasOthers();
  }

  endsWith(error: unknown): boolean {
    return this.decide(error) === undefined;
  }

  decide(error: unknown): Next | undefined {
    this.decided ??= { next: this.run.planNext(this, error) };
    return this.decided.next;
  }
}
