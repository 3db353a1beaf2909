import type { Passport, PassportHold, UsageEvent } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { BALANCE_SCOPE, type HoldKey, type HoldStore } from '@weir/limits';
import type { JournalLog } from '@weir/usage-journal';
import type { ExpectedUse, OpenAttempt, Meter } from '../meter';

type HoldKeeperOptions = {
  readonly meter: Meter;
  readonly store: HoldStore;
  readonly writerId: string;
  /** Resolves when everything that was in the journal at the start is aggregated. */
  readonly recovered: Promise<unknown>;
  /** The events of the journal that ended held requests and are not known to be aggregated. */
  readonly readHeldEnds: () => AsyncIterable<UsageEvent>;
  readonly ttlMs: number;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log: JournalLog;
};

/**
 * Keeps the holds of a writer's requests: open while they run, settled when their `end` is in the journal. What could not
 * be reported is reported again from the journal, so that a store that was away, or was emptied, learns of everything.
 */
export type HoldKeeper = {
  readonly meter: Meter;
  /** A request is over, however it went: what is still held of it is settled. */
  finish(passport: Passport): void;
  /** The store may have lost what was reported to it, or never known it. */
  reportAgain(): void;
  /** Settles with the store; true when nothing is left that only this process knows. */
  close(): Promise<boolean>;
};

type Kept = {
  readonly hold: PassportHold;
  readonly organizationId: string;
  running: number;
  costPico: bigint;
  billedPico: bigint;
  isSettled: boolean;
};

const TRY_AGAIN_MS = 250;
const RECOVERY_LOOK_MS = 1_000;
const RENEWALS_PER_TTL = 3;
const CLOSE_WITHIN_MS = 2_000;

export function createHoldKeeper(options: HoldKeeperOptions): HoldKeeper {
  const keeper = new Keeper(options);
  keeper.start();
  return keeper;
}

class Keeper implements HoldKeeper {
  readonly meter: Meter;
  /** By the hold's own object: a request has one. */
  private readonly kept = new WeakMap<PassportHold, Kept>();
  private readonly open = new Set<Kept>();
  private readonly relevant = new Set<Promise<unknown>>();
  private isEnrolled = false;
  private isRecovered = false;
  /** Something could not be reported: the journal has it. */
  private mustReportAgain = false;
  /** Until then, holds that are begun may be unknown to the store. */
  private doubtUntilMs = 0;
  private isClosed = false;
  private isTroubled = false;
  private timer: NodeJS.Timeout | undefined;
  private stopListening: () => void = () => undefined;

  constructor(private readonly options: HoldKeeperOptions) {
    this.meter = { openAttempt: (passport, index, expected) => this.openAttempt(passport, index, expected) };
  }

  start(): void {
    const { store, recovered } = this.options;
    this.stopListening = store.onLoss(() => this.reportAgain());
    void recovered.then(() => (this.isRecovered = true));
    this.schedule(0);
  }

  reportAgain(): void {
    this.mustReportAgain = true;
    this.doubtUntilMs = this.options.now() + this.options.ttlMs;
    this.schedule(0);
  }

  finish({ hold, caller }: Passport): void {
    if (hold === null) return;
    const kept = this.kept.get(hold) ?? this.keep(hold, caller.organizationId);
    // An attempt that was never closed is still in the journal, and may be charged when the process ends.
    if (kept.running === 0) this.settle(kept);
  }

  async close(): Promise<boolean> {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.stopListening();
    const given = new Promise((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS).unref());
    await Promise.race([Promise.all(this.relevant), given]);
    return this.open.size === 0 && this.relevant.size === 0 && !this.mustReportAgain;
  }

  private openAttempt(passport: Passport, index: number, expected: ExpectedUse): OpenAttempt {
    const { hold, caller } = passport;
    if (hold === null) return this.options.meter.openAttempt(passport, index, expected);
    const before = this.kept.get(hold);
    if (before === undefined) this.checkBegin(hold);
    const bounds = hold.bounds[index];
    const bounded = typeof expected === 'number' ? Math.min(expected, bounds?.promptTokens ?? expected) : expected;
    const attempt = this.options.meter.openAttempt(passport, index, bounded);
    const kept = before ?? this.keep(hold, caller.organizationId);
    kept.running += 1;
    return this.follow(attempt, kept, bounds?.outputTokens ?? Infinity);
  }

  /** A hold that may have been given back, or that no one would ask us about, covers nothing. */
  private checkBegin({ beginByMs, isLeased }: PassportHold): void {
    if (this.options.now() > beginByMs || this.isClosed) {
      throw new GatewayError('overloaded', 'The request waited too long inside the gateway. Try again shortly.');
    }
    if (!this.isEnrolled && !isLeased) {
      throw new GatewayError('dependency_down', 'Limits cannot be kept at the moment. Try again shortly.', { retryAfterSeconds: 5 });
    }
  }

  private keep(hold: PassportHold, organizationId: string): Kept {
    const kept: Kept = { hold, organizationId, running: 0, costPico: 0n, billedPico: 0n, isSettled: false };
    this.kept.set(hold, kept);
    this.open.add(kept);
    if (hold.isLeased || this.options.now() < this.doubtUntilMs) this.confirm(this.renew(kept));
    return kept;
  }

  private follow(attempt: OpenAttempt, kept: Kept, outputMax: number): OpenAttempt {
    let isOpen = true;
    return {
      eventId: attempt.eventId,
      progress: (tokens) => attempt.progress(Math.min(tokens, outputMax)),
      noteFirstByte: () => attempt.noteFirstByte(),
      close: (facts) => {
        const receipt = attempt.close(facts);
        if (!isOpen) return receipt;
        isOpen = false;
        kept.running -= 1;
        kept.costPico += receipt.costPico;
        kept.billedPico += receipt.billedPico;
        if (facts.isLogical) this.settle(kept);
        return receipt;
      },
    };
  }

  private settle(kept: Kept): void {
    if (kept.isSettled) return;
    kept.isSettled = true;
    this.open.delete(kept);
    const { store } = this.options;
    const settled = { ...keyOf(kept), spentPico: spentIn(kept.hold.scopes, kept) };
    this.confirm(kept.hold.isLeased ? store.register(settled) : store.settle(settled));
  }

  /** No one waits for it: until it is reported, the worst case counts. */
  private confirm(reported: Promise<unknown>): void {
    const relevant = reported
      .catch((error: unknown) => {
        if (!this.mustReportAgain)
          this.options.log.warn(
            { error },
            'holds could not be settled in the limit counters; they will be reported again from the journal',
          );
        this.mustReportAgain = true;
      })
      .finally(() => this.relevant.delete(relevant));
    this.relevant.add(relevant);
  }

  private renew(kept: Kept): Promise<void> {
    return this.options.store.renew({ ...keyOf(kept), amountPico: BigInt(kept.hold.reservedPico) }, this.options.ttlMs);
  }

  private schedule(ms: number): void {
    if (this.isClosed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      void this.report().then((nextMs) => this.schedule(nextMs));
    }, ms);
    this.timer.unref();
  }

  /** Returns how long the next one can wait. */
  private async report(): Promise<number> {
    const { store, writerId, ttlMs, log } = this.options;
    try {
      await store.enrolWriter(writerId);
      this.isEnrolled = true;
      this.isTroubled = false;
      await Promise.all([...this.open].map((kept) => this.renew(kept)));
      if (this.mustReportAgain) await this.reportFromJournal();
      if (!this.isRecovered) return Math.min(RECOVERY_LOOK_MS, ttlMs / RENEWALS_PER_TTL);
      if (!this.isClosed) await store.reportWriter(writerId);
      return ttlMs / RENEWALS_PER_TTL;
    } catch (error) {
      if (!this.isTroubled) log.warn({ error }, 'holds could not be renewed in the limit counters; trying again');
      this.isTroubled = true;
      return TRY_AGAIN_MS;
    }
  }

  private async reportFromJournal(): Promise<void> {
    this.mustReportAgain = false;
    try {
      for await (const event of this.options.readHeldEnds()) {
        await this.options.store.register({
          organizationId: event.org_id,
          holdId: event.hold_id ?? event.request_id,
          scopes: event.hold_scopes,
          spentPico: spentIn(event.hold_scopes, { costPico: BigInt(event.cost_p), billedPico: BigInt(event.billed_p) }),
        });
      }
    } catch (error) {
      this.mustReportAgain = true;
      throw error;
    }
  }
}

function keyOf({ hold, organizationId }: Kept): HoldKey {
  return { organizationId, holdId: hold.id, scopes: hold.scopes };
}

/** A month counts what usage is worth; the balance what is paid for it. */
function spentIn(scopes: readonly string[], { costPico, billedPico }: { costPico: bigint; billedPico: bigint }): bigint[] {
  return scopes.map((scope) => (scope === BALANCE_SCOPE ? billedPico : costPico));
}
