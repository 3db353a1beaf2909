import type { PassportHold, UsageEvent } from '@weir/contracts';
import { spendOfEvent, spentInScopes } from '@weir/limits';
import type { LimitMaxima } from '../load/customers';

type Spend = Parameters<typeof spentInScopes>[1];

/** One attempt as an onlooker knows it who sees all sides. */
type AttemptFacts = {
  readonly eventId: string;
  /** Its call left for the provider. */
  isSent: boolean;
  /** What its worker closed it with; undefined while it is open, or was when its worker died. */
  receiptPico: bigint | undefined;
  /** The same in each scope of its request. */
  spent: readonly bigint[];
  /** It was open, or not yet safe on its disk, when the power failed: it may be lost, and counted once at most. */
  isExcused: boolean;
  /** Its end was in the memory of a worker that died, and nowhere else: it is counted as cut short. */
  isEndLost: boolean;
  isCounted: boolean;
};

export type RequestFacts = {
  readonly id: string;
  readonly organizationId: string;
  readonly apiKeyId: string;
  readonly hold: PassportHold | null;
  /** What of its limits is taken by all, in the order of its scopes; undefined where nothing is known of one. */
  readonly totals: readonly (ScopeTotal | undefined)[];
  readonly worker: string;
  readonly attempts: Map<number, AttemptFacts>;
  /** It runs at a worker that lives. */
  isRunning: boolean;
  /** Its end may have been sent: all of it is where its worker's durability promises it to be. */
  isSafe: boolean;
  /** What its worker has closed, in each scope. */
  spent: bigint[];
  /** What is committed of it, in each scope. */
  committed: bigint[];
  /** What its caller read, as text. */
  seenUsd: string | null;
  costPico: bigint;
};

type ScopeTotal = { readonly max: bigint; taken: bigint; allowed: bigint };

/** Knows what was promised and what happened, and notes every moment at which they differ. */
export class Oracle {
  readonly requests = new Map<string, RequestFacts>();
  readonly violations: string[] = [];
  /** Attempts that were begun. */
  attempts = 0;
  private readonly scopes = new Map<string, ScopeTotal>();

  constructor(private readonly maxima: LimitMaxima) {}

  /** A request is at a worker; nothing of it is begun yet. */
  arrived(facts: Pick<RequestFacts, 'id' | 'organizationId' | 'apiKeyId' | 'hold' | 'worker'>): RequestFacts {
    const nothing = (): bigint[] => facts.hold?.scopes.map(() => 0n) ?? [];
    const totals = facts.hold?.scopes.map((scope) => this.total(facts.organizationId, scope)) ?? [];
    const request: RequestFacts = {
      ...{ ...facts, totals, attempts: new Map(), isRunning: false, isSafe: false, spent: nothing(), committed: nothing() },
      ...{ seenUsd: null, costPico: 0n },
    };
    this.requests.set(facts.id, request);
    return request;
  }

  begun(request: RequestFacts, index: number, eventId: string): void {
    this.attempts += 1;
    request.attempts.set(index, {
      eventId,
      isSent: false,
      receiptPico: undefined,
      spent: [],
      isExcused: false,
      isEndLost: false,
      isCounted: false,
    });
    this.change(request, () => (request.isRunning = true));
  }

  sent(request: RequestFacts, index: number): void {
    const attempt = request.attempts.get(index);
    if (attempt !== undefined) attempt.isSent = true;
  }

  closed(request: RequestFacts, index: number, spend: Spend): void {
    const spent = this.spentOf(request.hold, spend, request.hold?.uncounted?.[index]);
    const attempt = request.attempts.get(index);
    if (attempt !== undefined) Object.assign(attempt, { receiptPico: spend.costPico, spent });
    request.costPico += spend.costPico;
    this.change(request, () => addTo(request.spent, spent));
  }

  /** All of its attempts are closed. */
  released(request: RequestFacts): void {
    this.change(request, () => (request.isRunning = false));
  }

  /**
   * What was closed stays; what was open may come to all of its hold until its journal is recovered. `isUnwritten`: the full
   * disk had not taken all ends. They were not sent, and are lost.
   */
  workerDied(worker: string, isUnwritten: boolean): void {
    for (const request of this.requests.values()) {
      if (request.worker !== worker) continue;
      if (isUnwritten && !request.isSafe) for (const attempt of request.attempts.values()) attempt.isEndLost = true;
      if (request.isRunning && !hasOpen(request)) this.released(request);
    }
  }

  /** `isSafe`: whether what an attempt wrote last is on the disk. */
  powerCut(worker: string): void {
    for (const request of this.requests.values()) {
      if (request.worker !== worker || request.isSafe) continue;
      for (const attempt of request.attempts.values()) attempt.isExcused = true;
      this.released(request);
    }
  }

  /**
   * A successor has made all safe that is left on the disk, and closed what was open or has lost its end: what that came to is
   * known with its commit. What the power cut took altogether never comes to anything. `isUnwritten`: the full disk has not taken
   * all ends yet, and the power may take them.
   */
  recovered(worker: string, isUnwritten: boolean): void {
    for (const request of this.requests.values()) {
      if (request.worker !== worker) continue;
      request.isSafe ||= !isUnwritten;
      this.change(request, () => {
        for (const attempt of request.attempts.values()) if (isDoubtful(attempt) && !attempt.isCounted) takeBack(request, attempt);
      });
      if (request.isRunning) this.released(request);
    }
  }

  committed(event: UsageEvent): void {
    const request = this.requests.get(event.request_id);
    if (request === undefined) {
      this.violations.push(`an event is counted of ${event.request_id}, which never came`);
      return;
    }
    this.change(request, () => {
      addTo(request.committed, this.spentOf(request.hold, spendOfEvent(event), event.hold_uncounted));
      noteCounted(request, event.event_id);
      if (event.logical) request.isRunning = false;
    });
  }

  /** The counters were built anew and do not know of what is missing: so much may be spent twice. */
  allow(organizationId: string, scope: string, amount: bigint): void {
    const total = this.total(organizationId, scope);
    if (total !== undefined) total.allowed += amount;
  }

  /** What of a request is taken of the limits that bind it, in the order of its scopes. */
  taken(request: RequestFacts): readonly bigint[] {
    const { hold } = request;
    if (hold === null) return [];
    return hold.scopes.map((_, at) => {
      const known = larger(request.spent[at] ?? 0n, request.committed[at] ?? 0n);
      return request.isRunning ? larger(known, amountOf(hold, at)) : known;
    });
  }

  /** What is taken of a scope, by request. */
  describe(organizationId: string, scope: string): string {
    const total = this.total(organizationId, scope);
    const parts = [...this.requests.values()]
      .filter((request) => request.organizationId === organizationId)
      .flatMap((request) => this.describeTaken(request, request.hold?.scopes.indexOf(scope) ?? -1));
    return `${total?.taken} of ${total?.max} and ${total?.allowed}: ${parts.join(', ')}`;
  }

  private describeTaken(request: RequestFacts, at: number): string[] {
    const amount = this.taken(request)[at] ?? 0n;
    if (amount === 0n) return [];
    const state = request.isRunning ? '…' : request.committed[at] === amount ? '' : '?';
    return [`${request.id} ${amount}${state}`];
  }

  private change(request: RequestFacts, change: () => void): void {
    const before = this.taken(request);
    change();
    const after = this.taken(request);
    for (let at = 0; at < after.length; at += 1) {
      const total = request.totals[at];
      const grown = (after[at] ?? 0n) - (before[at] ?? 0n);
      if (total === undefined || grown === 0n) continue;
      total.taken += grown;
      if (grown > 0n && total.taken > total.max + total.allowed) {
        const scope = request.hold?.scopes[at];
        this.violations.push(`${scope} is overspent by ${total.taken - total.max - total.allowed}, lastly by ${request.id}`);
      }
    }
  }

  private total(organizationId: string, scope: string): ScopeTotal | undefined {
    const key = `${organizationId} ${scope}`;
    const known = this.scopes.get(key);
    if (known !== undefined) return known;
    for (const [prefix, max] of this.maxima) {
      if (!key.startsWith(prefix)) continue;
      const total = { max, taken: 0n, allowed: 0n };
      this.scopes.set(key, total);
      return total;
    }
    return undefined;
  }

  private spentOf(hold: PassportHold | null, spend: Spend, uncounted: number[] | undefined): bigint[] {
    return hold === null ? [] : spentInScopes(hold.scopes, spend, uncounted);
  }
}

/** The end that a power cut, or a death on a full disk, took with it was never sent: what its successor counts instead is all there is of the attempt. */
function noteCounted(request: RequestFacts, eventId: string): void {
  for (const attempt of request.attempts.values()) {
    if (attempt.eventId !== eventId) continue;
    attempt.isCounted = true;
    if (isDoubtful(attempt)) takeBack(request, attempt);
  }
}

function isDoubtful({ isExcused, isEndLost }: AttemptFacts): boolean {
  return isExcused || isEndLost;
}

function takeBack({ spent }: RequestFacts, attempt: AttemptFacts): void {
  for (const [at, amount] of attempt.spent.entries()) spent[at] = (spent[at] ?? 0n) - amount;
  attempt.spent = [];
}

function hasOpen(request: RequestFacts): boolean {
  for (const { receiptPico } of request.attempts.values()) if (receiptPico === undefined) return true;
  return false;
}

export function amountOf({ amounts, reservedPico }: PassportHold, at: number): bigint {
  return BigInt(amounts?.[at] ?? reservedPico);
}

function addTo(sums: bigint[], more: readonly bigint[]): void {
  for (const [at, amount] of more.entries()) sums[at] = (sums[at] ?? 0n) + amount;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
