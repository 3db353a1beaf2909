import { ALLOWANCE_MEASURES, type Allowance } from '@weir/contracts';
import { allowanceReadyAt, saysCapacity, type ReportedAllowance } from './allowance-left';
import { FairQueue, type FairShare, type Waiter } from './fair-queue';

/** One request that was let through, until it is known whether the provider took it. */
export class Turn {
  isDecided = false;

  constructor(
    readonly account: PacedAccount,
    readonly number: number,
    readonly givenAtMs: number,
  ) {}
}

/** One request that asks for its turn. */
export type TurnAsk = {
  readonly share: FairShare;
  /** It waits until then at most. Epoch milliseconds. */
  readonly untilMs: number;
  /** It had a turn and was refused. */
  readonly isAgain: boolean;
  /** Calls its listener when the request's caller leaves, with what the wait ends in; absent: it cannot leave. */
  readonly onLeave?: ((listener: (reason: Error) => void) => void) | undefined;
};

/** How a wait ended. */
export type WaitEnd = 'served' | 'expired' | 'displaced' | 'left';

export type AccountParts = {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Calls back after so many milliseconds, unless that is called which it returns. */
  readonly schedule: (afterMs: number, onTime: () => void) => () => void;
  readonly onWaited: (attempt: { readonly providerId: string }, waitedMs: number, end: WaitEnd) => void;
  readonly waitingMax: number;
};

type Waiting = TurnAsk & {
  readonly sinceMs: number;
  readonly resolve: (turn: Turn | undefined) => void;
  readonly reject: (reason: Error) => void;
};

/** A provider that refuses does so at once; one that replies may take long. So much later a request counts as taken. */
const DOUBT_MS = 500;
/** After the last refusal. */
const CALM_MS = 10_000;
/** Where a refusal does not say how long to wait: doubled with each that follows. */
const FIRST_REST_MS = 250;
const REST_MS_MAX = 4_000;
/** One word of a provider does not shut an account for longer than this. */
const SHUT_MS_MAX = 60_000;
/** While an account is shut for longer than anyone may wait, one request in this time tries all the same. */
const TRY_EVERY_MS = 1_000;
/** Expired requests are looked for at most so often. */
const EXPIRE_EVERY_MS = 20;

/**
 * An account that its provider has refused, or said to be spent: what goes there takes turns. After a refusal nothing is sent until
 * the provider said, then one request, and with each one that is taken more may be under way: twice as many each round up to half of
 * what was too much, or while the provider reports that more is left, and one more each round after that.
 */
export class PacedAccount {
  private readonly queue = new FairQueue<Waiting>();
  private readonly doubted = new Set<Turn>();
  private shutUntilMs = -Infinity;
  private window = Infinity;
  private threshold = Infinity;
  private refusalsInARow = 0;
  private refusedAtMs = -Infinity;
  /** How many turns there had been by then. */
  private givenAtRefusal = 0;
  private triedAtMs = -Infinity;
  private given = 0;
  private report: (ReportedAllowance & { readonly number: number }) | undefined;
  private soonestEndMs = Infinity;
  private expiredAtMs = -Infinity;
  private stopTimer: (() => void) | undefined;

  constructor(
    readonly providerId: string,
    private readonly parts: AccountParts,
  ) {}

  get waiting(): number {
    return this.queue.size;
  }

  /** Whether one more request would go at once. */
  isClear(): boolean {
    return this.queue.size === 0 && this.canSend(this.parts.now());
  }

  /** Nothing speaks against any number of requests any more. */
  isCalm(): boolean {
    const nowMs = this.parts.now();
    this.settleDoubts(nowMs);
    return this.queue.size === 0 && this.doubted.size === 0 && nowMs - this.refusedAtMs >= CALM_MS && this.readyAtMs() <= nowMs;
  }

  /** From when on a request may go, as far as the provider says; the past where it may now. */
  readyAtMs(): number {
    const reported = this.report === undefined ? -Infinity : allowanceReadyAt(this.report, this.given - this.report.number);
    return Math.max(this.shutUntilMs, reported);
  }

  /** A turn at once, or a promise of it; undefined (or a promise of that) where there is none in time. */
  enter(ask: TurnAsk): Turn | undefined | Promise<Turn | undefined> {
    const nowMs = this.parts.now();
    this.settleDoubts(nowMs);
    if (this.queue.size === 0 && this.canSend(nowMs)) return this.give(nowMs);
    if (this.readyAtMs() > ask.untilMs) return this.tryAnyway(nowMs);
    if (ask.untilMs <= nowMs || !this.makeSpace(ask.share, nowMs)) return undefined;
    return this.wait(ask, nowMs);
  }

  /** The provider took a request: its reply began with a success. */
  noteServed(turn: Turn | undefined, allowance: Allowance): void {
    const nowMs = this.parts.now();
    this.noteReport(turn?.number ?? 0, allowance, nowMs);
    this.refusalsInARow = 0;
    // It was taken although nothing was to be sent: the provider is open again.
    if (turn !== undefined && turn.number > this.givenAtRefusal) this.shutUntilMs = -Infinity;
    if (turn !== undefined && this.decide(turn)) this.grow();
    this.release(nowMs);
  }

  /** The provider refused a request because of its rate. `retryAfterMs`: where only the body of its reply says it. */
  noteRefused(turn: Turn | undefined, allowance: Allowance, retryAfterMs: number | undefined): void {
    const nowMs = this.parts.now();
    this.noteReport(turn?.number ?? this.given, allowance, nowMs);
    const underWay = this.doubted.size;
    if (turn !== undefined) this.decide(turn);
    // What was refused together counts once.
    const isNews = nowMs >= this.shutUntilMs;
    if (isNews) {
      this.refusalsInARow += 1;
      // What was sent before turns were taken is not known to be too much.
      this.threshold = underWay === 0 ? Infinity : Math.max(1, underWay / 2);
      this.window = 1;
    }
    this.refusedAtMs = nowMs;
    this.givenAtRefusal = this.given;
    this.shutUntilMs = Math.max(this.shutUntilMs, Math.min(nowMs + SHUT_MS_MAX, this.restEnd(allowance, retryAfterMs, nowMs)));
    this.release(nowMs);
  }

  /** A turn was not used, or its request ended without a word of the provider. */
  noteEnded(turn: Turn): void {
    if (this.decide(turn)) this.release(this.parts.now());
  }

  private restEnd({ retryAtMs }: Allowance, retryAfterMs: number | undefined, nowMs: number): number {
    if (retryAtMs !== undefined) return retryAtMs;
    if (retryAfterMs !== undefined) return nowMs + retryAfterMs;
    const reported = this.report === undefined ? -Infinity : allowanceReadyAt(this.report, 0);
    if (reported > nowMs) return reported;
    return nowMs + Math.min(REST_MS_MAX, FIRST_REST_MS * 2 ** (this.refusalsInARow - 1));
  }

  /** Replies come in any order: what is older than what is known says nothing new. */
  private noteReport(number: number, allowance: Allowance, atMs: number): void {
    if (ALLOWANCE_MEASURES.every((name) => allowance[name] === undefined) || number < (this.report?.number ?? 0)) return;
    this.report = { allowance, atMs, number };
  }

  private canSend(nowMs: number): boolean {
    return this.doubted.size < Math.floor(this.window) && this.readyAtMs() <= nowMs;
  }

  private give(nowMs: number): Turn {
    this.given += 1;
    const turn = new Turn(this, this.given, nowMs);
    this.doubted.add(turn);
    return turn;
  }

  private tryAnyway(nowMs: number): Turn | undefined {
    if (nowMs - this.triedAtMs < TRY_EVERY_MS) return undefined;
    this.triedAtMs = nowMs;
    return this.give(nowMs);
  }

  private decide(turn: Turn): boolean {
    if (turn.isDecided) return false;
    turn.isDecided = true;
    return this.doubted.delete(turn);
  }

  private grow(): void {
    const isQuick = this.window < this.threshold || (this.report !== undefined && saysCapacity(this.report.allowance));
    this.window += isQuick ? 1 : 1 / this.window;
  }

  /** What the provider did not refuse by now, it has taken. */
  private settleDoubts(nowMs: number): void {
    for (const turn of this.doubted) {
      if (nowMs - turn.givenAtMs < DOUBT_MS) return;
      if (this.decide(turn)) this.grow();
    }
  }

  private makeSpace(share: FairShare, nowMs: number): boolean {
    if (this.queue.size < this.parts.waitingMax) return true;
    const displaced = this.queue.findDisplaced(share);
    if (displaced === undefined) return false;
    this.end(displaced, 'displaced', nowMs).resolve(undefined);
    return true;
  }

  private wait(ask: TurnAsk, sinceMs: number): Promise<Turn | undefined> {
    return new Promise((resolve, reject) => {
      const waiter = this.queue.add(ask.share, { ...ask, sinceMs, resolve, reject }, ask.isAgain);
      this.soonestEndMs = Math.min(this.soonestEndMs, ask.untilMs);
      ask.onLeave?.((reason) => {
        if (waiter.isWaiting) this.end(waiter, 'left', this.parts.now()).reject(reason);
      });
      this.release(sinceMs);
    });
  }

  /** Ends a wait without a turn. */
  private end(waiter: Waiter<Waiting>, end: WaitEnd, nowMs: number): Waiting {
    this.queue.remove(waiter);
    this.parts.onWaited(this, nowMs - waiter.item.sinceMs, end);
    return waiter.item;
  }

  /** Gives turns as far as there are any now, and sees to it that this is looked at again when there may be more. */
  private release(nowMs: number): void {
    this.settleDoubts(nowMs);
    while (this.queue.size > 0 && this.canSend(nowMs)) {
      const next = this.queue.take();
      if (next === undefined) break;
      this.parts.onWaited(this, nowMs - next.sinceMs, 'served');
      next.resolve(this.give(nowMs));
    }
    if (nowMs >= this.soonestEndMs) this.expire(nowMs);
    this.arm(nowMs);
  }

  private expire(nowMs: number): void {
    this.expiredAtMs = nowMs;
    this.soonestEndMs = Infinity;
    for (const waiter of [...this.queue]) {
      if (waiter.item.untilMs <= nowMs) this.end(waiter, 'expired', nowMs).resolve(undefined);
      else this.soonestEndMs = Math.min(this.soonestEndMs, waiter.item.untilMs);
    }
  }

  private arm(nowMs: number): void {
    this.stopTimer?.();
    this.stopTimer = undefined;
    if (this.queue.size === 0) return;
    const endsAtMs = Math.max(this.soonestEndMs, this.expiredAtMs + EXPIRE_EVERY_MS);
    const wakeMs = Math.min(endsAtMs, this.nextTurnMs());
    this.stopTimer = this.parts.schedule(Math.max(1, Math.ceil(wakeMs - nowMs)), () => this.release(this.parts.now()));
  }

  private nextTurnMs(): number {
    const isFull = this.doubted.size >= Math.floor(this.window);
    const [oldest] = this.doubted;
    return isFull && oldest !== undefined ? oldest.givenAtMs + DOUBT_MS : this.readyAtMs();
  }
}
