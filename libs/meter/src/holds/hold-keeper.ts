import { OpenItems, type Place } from '@weir/collections';
import { NODE_TIMERS, type PassportHold, type Timer, type Timers, type UsageEvent } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { isConcurrent, measureOfScope, type HoldKey, type HoldStore } from '@weir/limits';
import type { JournalLog } from '@weir/usage-journal';
import type { Receipt } from '../meter';
import { HoldSpending } from './hold-spending';
import { registerHeldEnds } from './register-held-ends';

type HoldKeeperOptions = {
  readonly store: HoldStore;
  readonly writerId: string;
  /** Resolves when everything that was in the journal at the start is aggregated. */
  readonly recovered: Promise<unknown>;
  /** The events of the journal that ended held requests and are not known to be aggregated. */
  readonly readHeldEnds: () => AsyncIterable<UsageEvent>;
  /** Null when the ends so far outlive this process as they are; what becomes of them in the journal otherwise. */
  readonly whenDurable: () => Promise<void> | null;
  readonly ttlMs: number;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  /** Of Node unless given, as in a simulation. */
  readonly timers?: Timers;
  readonly log: JournalLog;
};

/**
 * Keeps the holds of a writer's requests: open while they run, settled when their `end` is in the journal, and as durable
 * there as its readers are promised: an end that is lost with this process is charged as cut short, which may be more. What
 * could not be reported is reported again from the journal, so that a store that was away, or was emptied, learns of everything.
 */
export type HoldKeeper = {
  /** The hold of one request, before any of its attempts is begun. */
  take(hold: PassportHold, organizationId: string): KeptHold;
  /** The store may have lost what was reported to it, or never known it. */
  reportAgain(): void;
  /** Processes that ended left journals, and may have reported what is in them to a store that was emptied since, or to none. */
  reportLeft(): void;
  /** Settles with the store; true when nothing is left that only this process knows. */
  close(): Promise<boolean>;
};

/** What a kept hold asks of its keeper. */
type KeptBy = {
  checkBegin(hold: PassportHold): void;
  begun(kept: KeptHold): Place<KeptHold>;
  settle(kept: KeptHold): void;
};

/** What is set aside for one request, from its first attempt to what it has used. */
export class KeptHold {
  running = 0;
  isSettled = false;
  /** An attempt counts the request: its event confirms what is settled. */
  isCounted = false;
  /** Among the open ones, from the first attempt on. */
  place: Place<KeptHold> | undefined;
  private readonly spending: HoldSpending;

  constructor(
    readonly hold: PassportHold,
    readonly organizationId: string,
    private readonly keeper: KeptBy,
  ) {
    this.spending = new HoldSpending(hold);
  }

  /** Throws where the hold covers no attempt any more: it may have been given back, or no one would ask us about it. */
  check(): void {
    if (this.place === undefined) this.keeper.checkBegin(this.hold);
  }

  /** An attempt is in the journal. */
  opened(): void {
    this.begin();
    this.running += 1;
  }

  /** So is its end. The attempt that counts the request settles. */
  closed(receipt: Receipt, isLogical: boolean, index: number): void {
    this.running -= 1;
    this.spending.add(receipt, isLogical, index);
    this.isCounted ||= isLogical;
    if (isLogical) this.keeper.settle(this);
  }

  /** The request is over, however it went. An attempt that was never closed is still in the journal, and may be charged when the process ends. */
  finish(): void {
    this.begin();
    if (this.running === 0) this.keeper.settle(this);
  }

  /** What was spent in each of the hold's scopes. */
  listSpent(): bigint[] {
    return this.spending.list();
  }

  private begin(): void {
    this.place ??= this.keeper.begun(this);
  }
}

const TRY_AGAIN_MS = 250;
const RECOVERY_LOOK_MS = 1_000;
const RENEWALS_PER_TTL = 3;
const CLOSE_WITHIN_MS = 2_000;

export function createHoldKeeper(options: HoldKeeperOptions): HoldKeeper {
  const keeper = new Keeper(options);
  keeper.start();
  return keeper;
}

class Keeper implements HoldKeeper, KeptBy {
  private readonly open = new OpenItems<KeptHold>();
  private readonly relevant = new Set<Promise<unknown>>();
  /**
   * Over, with attempts that cost something and of which none counts the request. The aggregator confirms only what it counts,
   * so they stay open until they are aggregated: did this process die, no one could take back what it had settled.
   */
  private readonly unconfirmed = new Set<KeptHold>();
  /** By id, those that are over and whose ends the disk does not have yet. They stay open until it has. */
  private readonly undurable = new Map<string, Promise<void>>();
  private isEnrolled = false;
  private isRecovered = false;
  /** Something could not be reported: the journal has it. */
  private mustReportAgain = false;
  /** Until then, holds that are begun may be unknown to the store. */
  private doubtUntilMs = 0;
  private isClosed = false;
  private isTroubled = false;
  private timer: Timer | undefined;
  private readonly timers: Timers;
  private stopListening: () => void = () => undefined;

  constructor(private readonly options: HoldKeeperOptions) {
    this.timers = options.timers ?? NODE_TIMERS;
  }

  start(): void {
    const { store, recovered } = this.options;
    this.stopListening = store.onLoss(() => this.reportAgain());
    void recovered.then(() => (this.isRecovered = true));
    this.schedule(0);
  }

  reportAgain(): void {
    this.doubtUntilMs = this.options.now() + this.options.ttlMs;
    this.reportLeft();
  }

  reportLeft(): void {
    this.mustReportAgain = true;
    this.schedule(0);
  }

  take(hold: PassportHold, organizationId: string): KeptHold {
    return new KeptHold(hold, organizationId, this);
  }

  async close(): Promise<boolean> {
    this.isClosed = true;
    this.timers.clearTimeout(this.timer);
    this.stopListening();
    const given = new Promise((resolve) => this.timers.setTimeout(() => resolve(undefined), CLOSE_WITHIN_MS).unref());
    await Promise.race([this.settleAll(), given]);
    return this.open.size === 0 && this.relevant.size === 0 && this.unconfirmed.size === 0 && !this.mustReportAgain;
  }

  checkBegin({ beginByMs, isLeased }: PassportHold): void {
    if (this.options.now() > beginByMs || this.isClosed) {
      throw new GatewayError('overloaded', 'The request waited too long inside the gateway. Try again shortly.');
    }
    if (!this.isEnrolled && !isLeased) {
      throw new GatewayError('dependency_down', 'Limits cannot be kept at the moment. Try again shortly.', { retryAfterSeconds: 5 });
    }
  }

  begun(kept: KeptHold): Place<KeptHold> {
    const place = this.open.add(kept);
    if (kept.hold.isLeased || this.options.now() < this.doubtUntilMs) this.confirm(this.renew(kept));
    return place;
  }

  settle(kept: KeptHold): void {
    if (kept.isSettled) return;
    kept.isSettled = true;
    const durable = this.options.whenDurable();
    if (durable === null) this.report(kept);
    else this.reportWhenDurable(kept, durable);
  }

  /** Where the disk fails, the process ends: what its journal has is what counts. */
  private reportWhenDurable(kept: KeptHold, durable: Promise<void>): void {
    const { id } = kept.hold;
    const report = (): void => {
      this.undurable.delete(id);
      this.report(kept);
    };
    this.undurable.set(
      id,
      durable.then(report, () => undefined),
    );
  }

  private report(kept: KeptHold): void {
    const { store } = this.options;
    const { hold, organizationId } = kept;
    // Member by member: a member behind a spread makes a new shape of object, and each of its readers looks it up anew.
    const settled = { organizationId, holdId: hold.id, scopes: hold.scopes, spent: kept.listSpent() };
    if (!kept.isCounted && settled.spent.some((amount) => amount > 0n)) return this.keepUncounted(kept);
    if (kept.place !== undefined) this.open.remove(kept.place);
    this.confirm(hold.isLeased ? store.register(settled) : store.settle(settled));
  }

  private async settleAll(): Promise<void> {
    await Promise.all(this.undurable.values());
    await Promise.all(this.relevant);
  }

  private keepUncounted(kept: KeptHold): void {
    this.unconfirmed.add(kept);
    const { scopes, ...key } = keyOf(kept);
    const ended = scopes.filter(isOfMoment);
    if (ended.length > 0) this.confirm(this.options.store.settle({ ...key, scopes: ended, spent: ended.map(() => 0n) }));
  }

  /** No one waits for it: until it is reported, the worst case counts. */
  private confirm(reported: Promise<unknown> | undefined): void {
    if (reported === undefined) return;
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

  private renew(kept: KeptHold): Promise<void> | undefined {
    const { scopes, ...key } = keyOf(kept);
    const amounts = amountsOf(kept.hold);
    const isHeld = (scope: string): boolean => !kept.isSettled || !isOfMoment(scope);
    const held = { scopes: scopes.filter(isHeld), amounts: amounts.filter((_, at) => isHeld(scopes[at] as string)) };
    return this.options.store.renew({ ...key, ...held }, this.options.ttlMs);
  }

  private schedule(ms: number): void {
    if (this.isClosed) return;
    this.timers.clearTimeout(this.timer);
    this.timer = this.timers.setTimeout(() => {
      void this.reportWriter().then((nextMs) => this.schedule(nextMs));
    }, ms);
    this.timer.unref();
  }

  /** Returns how long the next one can wait. */
  private async reportWriter(): Promise<number> {
    const { store, writerId, ttlMs, log } = this.options;
    try {
      const asOfMs = await store.enrolWriter(writerId);
      this.isEnrolled = true;
      this.isTroubled = false;
      // What the store has of some organizations may be away: that keeps nothing of the others from being reported.
      const renewals = await Promise.allSettled(this.open.list().map(async (kept) => this.renew(kept)));
      // What is on its way may come to a node long after the report has come to another. What fails is reported again.
      await Promise.all(this.relevant);
      if (this.mustReportAgain) await this.reportFromJournal();
      if (this.unconfirmed.size > 0) await this.confirmAggregated();
      const failed = renewals.find((renewal) => renewal.status === 'rejected');
      if (failed !== undefined) throw new Error('not all holds could be renewed', { cause: failed.reason });
      if (!this.isRecovered) return Math.min(RECOVERY_LOOK_MS, ttlMs / RENEWALS_PER_TTL);
      if (!this.isClosed) await store.reportWriter(writerId, asOfMs);
      return ttlMs / RENEWALS_PER_TTL;
    } catch (error) {
      if (!this.isTroubled) log.warn({ error }, 'holds could not be renewed in the limit counters; trying again');
      this.isTroubled = true;
      return TRY_AGAIN_MS;
    }
  }

  /**
   * A request that ended between two attempts, such as one for whose next attempt the journal had no space, has no event that
   * counts it. Once its events are aggregated the base has what they cost, and what is held would count as well.
   */
  private async confirmAggregated(): Promise<void> {
    // Of those that end while the journal is read, it may have read past their events.
    const ended = [...this.unconfirmed];
    const waiting = new Set<string | null>();
    for await (const { hold_id: holdId } of this.options.readHeldEnds()) waiting.add(holdId);
    for (const kept of ended) {
      const { organizationId, holdId, scopes } = keyOf(kept);
      if (waiting.has(holdId)) continue;
      // As versions only grow, this base changes none.
      await this.options.store.confirm(
        organizationId,
        scopes.map((scope) => ({ scope, base: 0n, version: 0n, holdIds: [holdId] })),
      );
      this.unconfirmed.delete(kept);
      if (kept.place !== undefined) this.open.remove(kept.place);
    }
  }

  private async reportFromJournal(): Promise<void> {
    this.mustReportAgain = false;
    try {
      await registerHeldEnds(this.options.store, this.readDurableEnds());
    } catch (error) {
      this.mustReportAgain = true;
      throw error;
    }
  }

  /** What is not durable yet is still held, as whole. */
  private async *readDurableEnds(): AsyncGenerator<UsageEvent> {
    for await (const event of this.options.readHeldEnds()) if (!this.undurable.has(event.hold_id ?? '')) yield event;
  }
}

function keyOf({ hold, organizationId }: KeptHold): HoldKey {
  return { organizationId, holdId: hold.id, scopes: hold.scopes };
}

/** What runs at a moment, which a request that is over does not. */
function isOfMoment(scope: string): boolean {
  return isConcurrent(measureOfScope(scope));
}

function amountsOf({ scopes, amounts, reservedPico }: PassportHold): bigint[] {
  return amounts === undefined ? scopes.map(() => BigInt(reservedPico)) : amounts.map(BigInt);
}
