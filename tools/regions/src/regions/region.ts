import { createMemoryHoldStore, monthlyScope, type HoldStore } from '@weir/limits';
import type { ClosedLease, HomeMessage, RegionReport, Turn } from './messages';
import type { Mutation } from './mutations';

/** A lease in the region's own journal: written before anything is spent of it, with what was spent. */
type LeaseEntry = {
  readonly amount: bigint;
  readonly scope: string;
  /** By hold, what is set aside. */
  readonly running: Map<string, bigint>;
  spent: bigint;
  isClosing: boolean;
  usedAtMs: number;
};

type RegionOptions = {
  readonly name: string;
  /** This region's clock: it may be wrong, and go too fast or too slow. */
  readonly now: () => number;
  readonly send: (report: RegionReport) => void;
  readonly mutation: Mutation | null;
};

const ORGANIZATION = 'organization';
const TTL_MS = 10 ** 12;
/** A lease that no request has used for so long is given back. */
const IDLE_MS = 20_000;
/** The request that a lease was asked for comes again by then. */
const FRESH_MS = 1_000;

/** A region that spends from leases alone: each of them is the limit of a scope in the real store of one process. */
export class Region {
  isUp = true;
  readonly name: string;
  private life = 1;
  private number = 0;
  private reports = 0;
  private wanted: bigint | null = null;
  private readonly open = new Map<string, LeaseEntry>();
  private readonly closed = new Map<string, ClosedLease>();
  /** On which lease each request runs. */
  private readonly places = new Map<string, string>();
  private store: HoldStore;

  constructor(private readonly options: RegionOptions) {
    this.name = options.name;
    this.store = createMemoryHoldStore({ now: options.now });
  }

  /** Sets an amount aside of one lease; false where none covers it: then more is asked for. */
  admit(holdId: string, amount: bigint): boolean {
    for (const [leaseId, lease] of this.open) {
      if (lease.isClosing || !this.hold(lease, holdId, amount)) continue;
      lease.running.set(holdId, amount);
      lease.usedAtMs = this.options.now();
      this.places.set(holdId, leaseId);
      return true;
    }
    this.want(amount);
    return false;
  }

  /** The most that one request could be admitted with now. */
  free(): bigint {
    let most = 0n;
    for (const lease of this.open.values()) if (!lease.isClosing && leftOf(lease) > most) most = leftOf(lease);
    return most;
  }

  end(holdId: string, spent: bigint): void {
    const leaseId = this.places.get(holdId) ?? '';
    const lease = this.open.get(leaseId);
    if (lease === undefined || !lease.running.delete(holdId)) throw new Error(`${holdId} runs on no lease`);
    this.places.delete(holdId);
    lease.spent += spent;
    void this.store.settle({ organizationId: ORGANIZATION, holdId, scopes: [lease.scope], spent: [spent] });
    if (lease.isClosing && lease.running.size === 0) this.close(leaseId, lease, null);
  }

  /** What ran is charged by what the journal knows; all else is forgotten. */
  crash(charge: (holdId: string) => bigint): void {
    for (const lease of this.open.values()) {
      for (const holdId of lease.running.keys()) lease.spent += charge(holdId);
      lease.running.clear();
    }
    this.places.clear();
    this.isUp = false;
  }

  restart(): void {
    this.isUp = true;
    this.life += 1;
    this.number = 0;
    this.reports = 0;
    this.wanted = null;
    this.store = createMemoryHoldStore({ now: this.options.now });
    for (const lease of this.open.values()) void this.store.seed(ORGANIZATION, [{ scope: lease.scope, base: lease.spent, version: 1n }]);
  }

  receive(message: HomeMessage): void {
    if (!this.isUp) return;
    if (message.kind === 'grant') this.accept(message);
    else if (message.kind === 'confirm') for (const leaseId of message.leaseIds) this.closed.delete(leaseId);
    else if (this.options.mutation !== 'recalls are ignored') this.giveBack((lease) => !this.isFresh(lease));
  }

  /** Now and then: what is idle is given back, and all that home does not know yet is said again. */
  tick(): void {
    if (!this.isUp) return;
    const nowMs = this.options.now();
    this.giveBack(({ usedAtMs }) => nowMs - usedAtMs > IDLE_MS);
    if (this.wanted !== null || this.closed.size > 0 || this.open.size > 0) this.report();
  }

  /** Nothing more is asked for: a grant that is on its way comes too late, which home learns by the next number. */
  closeAll(): void {
    if (this.wanted !== null) this.number += 1;
    this.wanted = null;
    this.giveBack(() => true);
    this.report();
  }

  private hold({ scope, amount: max }: LeaseEntry, holdId: string, amount: bigint): boolean {
    const limits = [{ scope, max }];
    const answer = this.store.reserve({ organizationId: ORGANIZATION, holdId, ttlMs: TTL_MS, limits, amounts: [amount], leasts: [amount] });
    if (answer instanceof Promise || answer.kind === 'unseeded')
      throw new Error('the store of this process replies at once, and is seeded');
    return answer.kind === 'held';
  }

  private want(amount: bigint): void {
    if (this.wanted !== null && this.wanted >= amount) return;
    this.wanted = amount;
    this.number += 1;
    this.report();
  }

  private accept({ leaseId, demand, amount }: Extract<HomeMessage, { kind: 'grant' }>): void {
    const { mutation, now } = this.options;
    const isCurrent = demand.life === this.life && demand.number === this.number && this.wanted !== null;
    const isKnown = this.open.has(leaseId) || this.closed.has(leaseId);
    if (isKnown || (!isCurrent && mutation !== 'late grants are accepted')) return;
    const scope = scopeOf(leaseId);
    this.open.set(leaseId, { amount, scope, running: new Map(), spent: 0n, isClosing: false, usedAtMs: now() });
    void this.store.seed(ORGANIZATION, [{ scope, base: 0n, version: 1n }]);
    this.wanted = null;
    this.number += 1;
    this.report();
  }

  /** It was asked for and is not used yet: taken away at once, it would be of use to no region. */
  private isFresh({ spent, running, usedAtMs }: LeaseEntry): boolean {
    return spent === 0n && running.size === 0 && this.options.now() - usedAtMs < FRESH_MS;
  }

  private giveBack(isMeant: (lease: LeaseEntry) => boolean): void {
    for (const [leaseId, lease] of [...this.open]) {
      if (!isMeant(lease)) continue;
      if (lease.running.size === 0) this.close(leaseId, lease, null);
      else if (leftOf(lease) > 0n) this.split(leaseId, lease);
    }
  }

  /** What runs goes on under a lease of just what is set aside for it, until the last of it has ended. */
  private split(leaseId: string, lease: LeaseEntry): void {
    const rest = `${leaseId}+`;
    const scope = scopeOf(rest);
    void this.store.seed(ORGANIZATION, [{ scope, base: 0n, version: 1n }]);
    let amount = 0n;
    for (const [holdId, held] of lease.running) {
      amount += held;
      void this.store.renew({ organizationId: ORGANIZATION, holdId, scopes: [scope], amounts: [held] }, TTL_MS);
      this.places.set(holdId, rest);
    }
    this.open.set(rest, { ...lease, amount, scope, spent: 0n, isClosing: true });
    this.close(leaseId, lease, { leaseId: rest, amount });
  }

  private close(leaseId: string, { spent }: LeaseEntry, rest: ClosedLease['rest']): void {
    this.open.delete(leaseId);
    this.closed.set(leaseId, { leaseId, spent, rest });
  }

  private report(): void {
    const current: Turn = { life: this.life, number: this.number };
    const said: Turn = { life: this.life, number: (this.reports += 1) };
    const lists = { open: [...this.open.keys()], closed: [...this.closed.values()] };
    this.options.send({ kind: 'report', region: this.name, said, current, wanted: this.wanted, ...lists });
  }
}

function leftOf({ amount, spent, running }: LeaseEntry): bigint {
  return [...running.values()].reduce((rest, held) => rest - held, amount - spent);
}

function scopeOf(leaseId: string): string {
  return monthlyScope('key', leaseId.replaceAll(' ', '-'), 0);
}
