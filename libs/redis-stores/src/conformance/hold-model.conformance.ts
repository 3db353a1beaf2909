import { randomUUID } from 'node:crypto';
import {
  scopeExpiry,
  type HoldStore,
  type ReserveAnswer,
  type ReserveLimit,
  type ReserveRequest,
  type ScopeConfirmation,
} from '@weir/limits';
import { CALLERS_COUNT, openModelRules, type Draw, type ModelLimit, type ModelRules } from './hold-model-limits.conformance';
import { HoldOracle, type ModelRequest } from './hold-model-oracle.conformance';

/** The store that a history is played against. */
export type HoldModelRig = {
  readonly store: () => HoldStore;
  /** Decides windows; holds expire by the store's own clock, which follows it or is a server's. */
  readonly now: () => number;
  readonly pass: (ms: number) => void;
  /** So long that holds of 1 ms have expired by the store's clock. */
  readonly expire: () => Promise<void>;
  /** The store loses everything of an organization. */
  readonly empty: (organizationId: string) => Promise<void>;
  /** Orphans are given back as soon as every writer has reported; where the store only looks now and then, they are settled. */
  readonly givesBackAtOnce: boolean;
};

export type HoldModelRuns = { readonly seeds: number; readonly operations: number; readonly firstSeed: number };

const WRITERS = 3;
const LASTING_MS = 30 * 60_000;

/**
 * Plays random histories over limits of all scopes, measures and windows at once against a store and an oracle that counts by
 * hand: requests that are let in, shortened, refused, that end, die or are never begun; settlings and confirmations late, twice
 * or lost; the clock over edges of windows and over changes of the clocks; a store that loses everything. No request is let in over any limit as the oracle counts it; now and then, and
 * at the end, everything is reported, and the store knows exactly the truth: nothing twice, nothing left over.
 */
export async function runHoldModel(open: () => HoldModelRig, { seeds, operations, firstSeed }: HoldModelRuns): Promise<void> {
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
    const world = new World(open(), createDraw(seed), seed);
    let done = 0;
    try {
      await world.begin();
      for (; done < operations; done += 1) await world.play();
      await world.end();
    } catch (error) {
      throw new Error(`seed ${seed}, operation ${done}`, { cause: error });
    }
  }
}

function createDraw(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Asked = { readonly limits: readonly ModelLimit[]; readonly request: ReserveRequest };

class World {
  private readonly organizationId = randomUUID();
  private readonly oracle = new HoldOracle();
  private readonly writers = Array.from({ length: WRITERS }, () => randomUUID());
  private readonly rules: ModelRules;
  /** All that is not committed. */
  private open: ModelRequest[] = [];
  private readonly confirmations: ScopeConfirmation[] = [];
  /** Ids of all that was committed, for what reads a scope as a whole. */
  private readonly committed = new Map<string, string[]>();
  /** Of requests whose settling was lost. */
  private undelivered: ScopeConfirmation[] = [];
  /** The writer that is frozen in the middle of its report. */
  private frozen: number | undefined;
  /** Their settling was lost. */
  private readonly unsettled = new Set<string>();
  private requests = 0;
  private lists = new Map<string, readonly ReserveLimit[]>();

  constructor(
    private readonly rig: HoldModelRig,
    private readonly draw: Draw,
    turn: number,
  ) {
    const nowMs = rig.now();
    this.rules = openModelRules(turn, nowMs, draw);
    rig.pass(this.rules.startsAtMs - nowMs);
  }

  async begin(): Promise<void> {
    for (const writer of this.writers) await this.rig.store().enrolWriter(writer);
  }

  play(): Promise<void> | void {
    const kind = this.draw(100);
    if (kind < 40) return this.ask();
    if (kind < 61) return this.settleOne();
    if (kind < 70) return this.commitOne();
    if (kind < 78) return this.confirmOne();
    if (kind < 83) return this.renewOne();
    if (kind < 87) return this.seedAgain();
    if (kind < 94) return this.passTime();
    if (kind < 97) return this.reportOne();
    if (kind < 99) return this.check();
    return this.loseAll();
  }

  async end(): Promise<void> {
    for (const request of this.open) if (request.state === 'running') this.oracle.end(request, 50);
    await this.check();
    for (const scope of this.lasting())
      expect(await this.stateOf(scope)).toMatchObject({ settled: [], open: [], settledSum: 0n, openSum: 0n });
    for (const writer of this.writers) await this.rig.store().retireWriter(writer);
  }

  private async ask(): Promise<void> {
    const asked = this.drawRequest();
    const answer = await this.reserve(asked.request);
    await this.checkSums(asked.request, answer);
    if (answer.kind === 'held') return this.letIn(asked, answer.amounts);
    if (answer.kind === 'unseeded') throw new Error('the store does not keep what it was seeded with');
    const refusing = asked.request.limits.findIndex(({ scope }) => scope === answer.scope);
    const limit = asked.limits[refusing];
    if (limit?.isRunning !== true || this.oracle.takenOf([answer.scope]) >= (limit.max ?? 0n)) return;
    // Only what has died a moment ago can be in the way, and what has ended without the store having learnt of it.
    await this.rig.expire();
    const again = await this.reserve(asked.request);
    if (again.kind === 'held') return this.letIn(asked, again.amounts);
    const running = new Set(this.open.filter(({ state }) => state === 'running').map(({ holdId }) => holdId));
    const { open } = await this.stateOf(answer.scope);
    expect(open.map(({ holdId }) => holdId).filter((holdId) => !running.has(holdId) && !this.unsettled.has(holdId))).toEqual([]);
  }

  /** What is said to be left is what all steps say one by one, however a store adds them up. */
  private async checkSums({ limits }: ReserveRequest, answer: ReserveAnswer): Promise<void> {
    for (const [at, { scope, past, max }] of limits.entries()) {
      const left =
        answer.kind === 'held' ? answer.remaining?.[at] : answer.kind === 'refused' && answer.scope === scope ? answer.remaining : null;
      if (past === undefined || max === null || left === undefined || left === null) continue;
      const taken = await this.rig.store().readTaken(this.organizationId, [scope, ...past]);
      const sum = [...taken.values()].reduce((all, one) => all + one, 0n);
      if (taken.size !== past.length + 1 || left !== max - sum) throw new Error(`${scope}: ${left} are said to be left, ${max - sum} are`);
    }
  }

  private drawRequest(): Asked {
    const limits = this.drawLimits();
    const caller = this.draw(CALLERS_COUNT);
    const amounts = limits.map(({ asks, unit }) => BigInt(asks === 1 ? 1 : this.draw(asks)) * unit);
    const isCut = this.draw(3) === 0;
    const leasts = isCut ? amounts.map((amount, index) => this.leastOf(amount, limits[index] as ModelLimit)) : amounts;
    this.requests += 1;
    // One of eight is never renewed: its process dies.
    const ttlMs = this.draw(8) === 0 ? 1 : LASTING_MS;
    const common = { organizationId: this.organizationId, holdId: `h${this.requests}`, ttlMs, isShown: this.draw(2) === 0 };
    return { limits, request: { ...common, limits: this.placeAll(limits, caller), amounts, leasts } };
  }

  /** All of them, or each with the same chance; one at least. */
  private drawLimits(): readonly ModelLimit[] {
    const { limits } = this.rules;
    const oneIn = 1 + this.draw(5);
    const some = limits.filter(() => this.draw(oneIn) === 0);
    return some.length > 0 ? some : limits.slice(-1);
  }

  private leastOf(amount: bigint, { unit }: ModelLimit): bigint {
    return amount === unit ? amount : (amount / unit / 3n) * unit;
  }

  /** The same list for the same scopes, as callers have it. */
  private placeAll(limits: readonly ModelLimit[], caller: number): readonly ReserveLimit[] {
    const nowMs = this.rig.now();
    const placed = limits.map(({ max, place }) => ({ ...place(nowMs, caller), max }));
    const name = placed.map(({ scope, max }) => `${scope} ${max}`).join(' ');
    const known = this.lists.get(name) ?? placed;
    this.lists.set(name, known);
    return known;
  }

  /** As callers do it: while one scope is seeded, another may be forgotten that was not used for long. */
  private async reserve(request: ReserveRequest): Promise<ReserveAnswer> {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.rig.store().reserve(request);
      if (answer.kind !== 'unseeded' || tries === 3) return answer;
      await this.seed(answer.scopes);
    }
  }

  private seed(scopes: readonly string[]): Promise<void> {
    const bases = scopes.map((scope) => ({ scope, ...this.oracle.baseOf(scope) }));
    return this.rig.store().seed(this.organizationId, bases);
  }

  private letIn({ limits, request }: Asked, amounts: readonly bigint[]): void {
    const scopes = request.limits.map(({ scope }) => scope);
    const { holdId } = request;
    const letIn: ModelRequest = { holdId, writer: this.draw(WRITERS), limits, scopes, amounts, state: 'running', spent: [] };
    this.open.push(letIn);
    this.oracle.letIn(letIn);
    amounts.forEach((amount, index) => {
      const { max, past = [], scope } = request.limits[index] as ReserveLimit;
      const isWithin = amount <= (request.amounts[index] ?? 0n) && amount >= (request.leasts[index] ?? 0n);
      const taken = this.oracle.takenOf([scope, ...past]);
      if (!isWithin || (max !== null && taken > max))
        throw new Error(`${holdId} was let in for ${amount} of ${scope}: ${taken} of ${max} are taken`);
    });
    if (request.ttlMs === 1) this.oracle.die(letIn, this.draw(2) === 0 ? 'dead' : 'orphan');
  }

  private pick(...states: ModelRequest['state'][]): ModelRequest | undefined {
    const some = this.open.filter(({ state }) => states.includes(state));
    return some[this.draw(Math.max(1, some.length))];
  }

  private keyOf({ holdId, scopes }: ModelRequest) {
    return { organizationId: this.organizationId, holdId, scopes };
  }

  /** For the first time or again; one in seven is lost on its way. */
  private async settleOne(): Promise<void> {
    const request = this.pick('running', 'running', 'ended');
    if (request === undefined) return;
    if (request.state === 'running') this.oracle.end(request, this.draw(101));
    if (this.draw(7) === 0) return void this.unsettled.add(request.holdId);
    await this.rig.store().settle({ ...this.keyOf(request), spent: request.spent });
    this.unsettled.delete(request.holdId);
  }

  private commitOne(): void {
    const request = this.pick('ended');
    if (request !== undefined) this.commit(request);
  }

  private commit(request: ModelRequest): void {
    const confirmations = this.oracle.commit(request);
    this.confirmations.push(...confirmations);
    if (this.unsettled.has(request.holdId)) this.undelivered.push(...confirmations);
    for (const scope of request.scopes) this.committed.set(scope, [...(this.committed.get(scope) ?? []), request.holdId]);
    this.open = this.open.filter((each) => each !== request);
  }

  /** The latest, any one again, or none at all. */
  private async confirmOne(): Promise<void> {
    const { length } = this.confirmations;
    const confirmation = this.confirmations[this.draw(2) === 0 ? length - 1 : this.draw(Math.max(1, length))];
    if (confirmation !== undefined) await this.rig.store().confirm(this.organizationId, [confirmation]);
  }

  private async renewOne(): Promise<void> {
    const request = this.pick('running');
    if (request !== undefined) await this.rig.store().renew({ ...this.keyOf(request), amounts: request.amounts }, LASTING_MS);
  }

  private async seedAgain(): Promise<void> {
    const scopes = this.lasting();
    if (scopes.length > 0) await this.seed([scopes[this.draw(scopes.length)] as string]);
  }

  /** Mostly by a minute, sometimes by many hours; workers that are not frozen renew what runs all the while. */
  private async passTime(isLong = this.draw(6) === 0): Promise<void> {
    this.rig.pass(isLong ? 3_600_000 * (1 + this.draw(30)) : 1_000 * this.draw(90));
    for (const request of this.open) if (request.state === 'running') await this.keep(request);
  }

  /** What a frozen worker runs at a moment is given back by time alone: that limit is not kept then, so here it is renewed. */
  private async keep({ holdId, writer, scopes, amounts, limits }: ModelRequest): Promise<void> {
    const isKept = (_: unknown, at: number): boolean => limits[at]?.isRunning === true || writer !== this.frozen;
    const { organizationId } = this;
    await this.rig.store().renew({ organizationId, holdId, scopes: scopes.filter(isKept), amounts: amounts.filter(isKept) }, LASTING_MS);
  }

  private async reportOne(): Promise<void> {
    const store = this.rig.store();
    const writer = this.draw(WRITERS);
    const asOfMs = await store.enrolWriter(this.writers[writer] as string);
    await this.reportAll((request) => request.writer === writer);
    if (this.draw(3) === 0) await this.freeze(writer);
    await store.reportWriter(this.writers[writer] as string, asOfMs);
  }

  /** For longer than holds last; the others renew and report. */
  private async freeze(frozen: number): Promise<void> {
    this.frozen = frozen;
    await this.passTime(true);
    await this.reportAll(({ writer }) => writer !== frozen);
    await this.reportWriters();
    this.frozen = undefined;
  }

  /** All but one that is frozen, of now. */
  private async reportWriters(): Promise<void> {
    const store = this.rig.store();
    for (const [at, writer] of this.writers.entries())
      if (at !== this.frozen) await store.reportWriter(writer, await store.enrolWriter(writer));
  }

  /** What writers do before they say that they have: nothing they know is only in their journals. */
  private async reportAll(isOf: (request: ModelRequest) => boolean): Promise<void> {
    // Counters are compared with what is committed more often than holds expire.
    await this.rig.store().confirm(this.organizationId, this.undelivered);
    this.undelivered = [];
    for (const request of this.open.filter(isOf)) {
      if (request.state === 'dead') this.oracle.end(request, this.draw(101));
      if (request.state === 'ended') await this.rig.store().register({ ...this.keyOf(request), spent: request.spent });
      if (request.state === 'running') await this.rig.store().renew({ ...this.keyOf(request), amounts: request.amounts }, LASTING_MS);
    }
  }

  private async loseAll(): Promise<void> {
    await this.rig.empty(this.organizationId);
    await this.begin();
    await this.reportAll(() => true);
    if (this.draw(2) === 0) await this.reportAll(() => true);
    this.open = this.open.filter(({ state }) => state !== 'orphan');
  }

  /** Everything is reported and given back; then the store knows exactly what the oracle does. */
  private async check(): Promise<void> {
    await this.reportAll(() => true);
    for (const request of this.open.filter(({ state }) => state === 'ended')) this.commit(request);
    await this.giveBackOrphans();
    const scopes = this.lasting();
    const newest = scopes.map((scope) => ({ scope, ...this.oracle.baseOf(scope), holdIds: this.committed.get(scope) ?? [] }));
    await this.rig.store().confirm(this.organizationId, newest);
    const taken = await this.rig.store().readTaken(this.organizationId, scopes);
    for (const [scope, amount] of taken) {
      if (amount !== this.oracle.takenOf([scope]))
        throw new Error(`${scope}: ${amount} are counted, ${this.oracle.takenOf([scope])} are taken`);
    }
  }

  private async giveBackOrphans(): Promise<void> {
    await this.rig.expire();
    await this.reportWriters();
    if (!this.rig.givesBackAtOnce) {
      for (const request of this.open.filter(({ state }) => state === 'orphan'))
        await this.rig.store().settle({ ...this.keyOf(request), spent: request.scopes.map(() => 0n) });
    }
    await this.rig.expire();
    // A reservation gives back what has expired in its scopes.
    await Promise.all(this.lasting().map((scope) => this.reserveNothing(scope)));
    this.open = this.open.filter(({ state }) => state !== 'orphan');
  }

  private async reserveNothing(scope: string): Promise<void> {
    const nothing = { organizationId: this.organizationId, holdId: 'nothing', ttlMs: LASTING_MS, amounts: [0n], leasts: [0n] };
    await this.reserve({ ...nothing, limits: [{ scope, max: null }] });
    await this.rig.store().settle({ organizationId: this.organizationId, holdId: 'nothing', scopes: [scope], spent: [0n] });
  }

  private lasting(): string[] {
    return this.oracle.scopes().filter((scope) => (scopeExpiry(scope) ?? Infinity) >= this.rig.now());
  }

  private stateOf(scope: string) {
    return this.rig.store().readScope(this.organizationId, scope);
  }
}
