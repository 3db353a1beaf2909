import { createMemoryHoldStore, monthlyScope, type HoldStore } from '@weir/limits';
import { isEarlier, type ClosedLease, type HomeMessage, type RegionReport, type Turn } from './messages';
import type { Mutation } from './mutations';

/** A row of the home region's database: written before anyone hears of it. */
type LeaseRow = { readonly region: string; readonly demand: Turn; readonly amount: bigint };

type Waiting = { readonly report: RegionReport; readonly sinceMs: number; readonly untilMs: number };

type HomeOptions = {
  readonly cap: bigint;
  readonly regions: readonly string[];
  readonly now: () => number;
  readonly send: (region: string, message: HomeMessage) => void;
  readonly mutation: Mutation | null;
};

const ORGANIZATION = 'organization';
const SCOPE = monthlyScope('key', 'shared', 0);
/** Leases end by what their region says, never by a clock. */
const TTL_MS = 10 ** 12;
/** One region takes no more than this part of what is left at a time, unless one request needs more. */
const SHARE = 6n;
const WAITS_MS = 1_000;
/** Recalls are carried out by then, but for messages that were lost. */
const PATIENCE_MS = 1_500;

/**
 * The region that has the limit. Regions get parts of it as holds of the real store, which grants, cuts, refuses and settles them;
 * every hold is a row of a database that outlives the process.
 */
export class Home {
  isUp = true;
  private readonly open = new Map<string, LeaseRow>();
  private readonly closed = new Set<string>();
  private spent = 0n;
  /** In the same database: the latest that each region has said. */
  private readonly heard = new Map<string, Turn>();
  /** Those that wait for money, the first of them first; regions ask again and again, so that one that is silent waits no more. */
  private waiting: Waiting[] = [];
  private store: HoldStore;

  constructor(private readonly options: HomeOptions) {
    this.store = this.openStore();
  }

  crash(): void {
    this.isUp = false;
    this.waiting = [];
    if (this.options.mutation === 'home forgets leases') this.open.clear();
  }

  /** The counters are built anew from the database, as after any loss of them. */
  restart(): void {
    this.isUp = true;
    this.store = this.openStore();
  }

  receive(report: RegionReport): void {
    if (!this.isUp || this.isOld(report)) return;
    for (const lease of report.closed) this.close(lease);
    if (report.closed.length > 0)
      this.options.send(report.region, { kind: 'confirm', leaseIds: report.closed.map(({ leaseId }) => leaseId) });
    this.dropNeverAccepted(report);
    this.queue(this.grantAgain(report) ? { ...report, wanted: null } : report);
    this.serve();
  }

  /** Before a lease is forgotten, what of it was spent must be known; a mutation believes silence. */
  forgetSilent(region: string): void {
    for (const [leaseId, row] of this.open) if (row.region === region) this.close({ leaseId, spent: 0n, rest: null });
  }

  /** What counts as taken of the limit here. */
  async readTaken(): Promise<bigint> {
    return (await this.store.readTaken(ORGANIZATION, [SCOPE])).get(SCOPE) ?? 0n;
  }

  private openStore(): HoldStore {
    const store = createMemoryHoldStore({ now: this.options.now });
    void store.seed(ORGANIZATION, [{ scope: SCOPE, base: this.spent, version: 1n }]);
    for (const [leaseId, { amount }] of this.open) this.enter(leaseId, amount, store);
    return store;
  }

  private isOld({ region, said }: RegionReport): boolean {
    const heard = this.heard.get(region);
    if (heard !== undefined && isEarlier(said, heard) && this.options.mutation !== 'old reports are believed') return true;
    this.heard.set(region, said);
    return false;
  }

  /** First what goes on under another name, then the end of it: in between more is taken than there is, never less. */
  private close({ leaseId, spent, rest }: ClosedLease): void {
    const row = this.open.get(leaseId);
    if (row === undefined) return;
    if (rest !== null) {
      this.open.set(rest.leaseId, { ...row, amount: rest.amount });
      this.enter(rest.leaseId, rest.amount);
    }
    this.open.delete(leaseId);
    this.closed.add(leaseId);
    this.spent += spent;
    void this.store.settle({ organizationId: ORGANIZATION, holdId: leaseId, scopes: [SCOPE], spent: [spent] });
  }

  private enter(holdId: string, amount: bigint, store = this.store): void {
    void store.renew({ organizationId: ORGANIZATION, holdId, scopes: [SCOPE], amounts: [amount] }, TTL_MS);
  }

  /** A grant that was lost, or came too late for its region. */
  private dropNeverAccepted({ region, current, open, closed }: RegionReport): void {
    const known = new Set([...open, ...closed.map(({ leaseId }) => leaseId)]);
    for (const [leaseId, row] of this.open)
      if (row.region === region && !known.has(leaseId) && isEarlier(row.demand, current)) this.close({ leaseId, spent: 0n, rest: null });
  }

  private queue(report: RegionReport): void {
    const nowMs = this.options.now();
    const at = this.waiting.findIndex((each) => each.report.region === report.region);
    const waiting = { report, sinceMs: this.waiting[at]?.sinceMs ?? nowMs, untilMs: nowMs + WAITS_MS };
    if (report.wanted === null) this.waiting = this.waiting.filter((each) => each.report.region !== report.region);
    else if (at < 0) this.waiting.push(waiting);
    else this.waiting[at] = waiting;
    this.waiting = this.waiting.filter((each) => each.untilMs >= nowMs);
  }

  /**
   * In the order in which they asked. The one behind gets nothing for a while before the one in front could have had it; then all that
   * could be recalled was, and it needs more than there is.
   */
  private serve(): void {
    let isRecalled = false;
    for (const waiting of [...this.waiting]) {
      if (this.grant(waiting.report)) {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        continue;
      }
      // From the one that asks as well: what it has may be in pieces that are each too small.
      if (!isRecalled) for (const region of this.options.regions) this.options.send(region, { kind: 'recall' });
      isRecalled = true;
      if (this.options.now() - waiting.sinceMs < PATIENCE_MS) return;
    }
  }

  /** What was granted for it was lost on its way, or is still on it. */
  private grantAgain({ region, current }: RegionReport): boolean {
    const leaseId = nameLease(region, current);
    const row = this.open.get(leaseId);
    if (row !== undefined) this.options.send(region, { kind: 'grant', leaseId, demand: current, amount: row.amount });
    return row !== undefined || this.closed.has(leaseId);
  }

  private grant({ region, current, wanted }: RegionReport): boolean {
    const leaseId = nameLease(region, current);
    const amount = this.reserve(leaseId, wanted ?? 0n);
    if (amount === null) return false;
    this.open.set(leaseId, { region, demand: current, amount });
    this.options.send(region, { kind: 'grant', leaseId, demand: current, amount });
    return true;
  }

  private left(): bigint {
    return [...this.open.values()].reduce((rest, { amount }) => rest - amount, this.options.cap - this.spent);
  }

  private reserve(holdId: string, least: bigint): bigint | null {
    const { cap, mutation } = this.options;
    const part = this.left() / SHARE;
    const asked = part > least ? part : least;
    const max = mutation === 'leases are not bounded by what is left' ? cap * 1_000n : cap;
    const limits = [{ scope: SCOPE, max }];
    const answer = this.store.reserve({ organizationId: ORGANIZATION, holdId, ttlMs: TTL_MS, limits, amounts: [asked], leasts: [least] });
    if (answer instanceof Promise || answer.kind === 'unseeded')
      throw new Error('the store of this process replies at once, and is seeded');
    return answer.kind === 'held' ? (answer.amounts[0] ?? 0n) : null;
  }
}

function nameLease(region: string, { life, number }: Turn): string {
  return `${region} ${life} ${number}`;
}
