import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { HoldsUnavailableError, type HoldStore } from '@weir/limits';
import { createCircuit } from '../../../create-circuit';
import type { RedisHoldStore } from '../../create-redis-hold-store';

type LoadOptions = {
  /** Edges, each with a connection of its own. */
  readonly edges: readonly RedisHoldStore[];
  /** Keeps what runs, and reports it again when counters were lost, as workers do. */
  readonly worker: RedisHoldStore;
  readonly scope: string;
  readonly max: bigint;
};

type Held = { readonly organizationId: string; readonly amount: bigint };
export type LoadCounts = { held: number; refused: number; away: number };

const UNIT = 1_000n;
const TTL_MS = 60_000;
const TRIES_ONCE_STOPPED = 100;

/** Requests against one limit of each organization, from several edges at once, and by hand what is truly taken of each. */
export class HoldLoad {
  readonly counts = new Map<string, LoadCounts>();
  private readonly running = new Map<string, Held>();
  private readonly ended = new Map<string, Held>();
  private readonly taken = new Map<string, bigint>();
  private isStopped = false;
  private readonly circuits: ReturnType<typeof createCircuit>[];

  constructor(private readonly options: LoadOptions) {
    this.circuits = options.edges.map(() => createCircuit({ timeoutMs: 250, isApart: true, now: () => performance.now() }));
    // It gives up only once this is stopped: then the last report, which the spec waits for, says whether all came through.
    options.worker.onLoss(() => void this.reportAll().catch(() => undefined));
  }

  takenOf(organizationId: string): bigint {
    return this.taken.get(organizationId) ?? 0n;
  }

  stop(): void {
    this.isStopped = true;
  }

  /** Asks for `organizationId` from every edge until it is stopped; half of what is held is spent at the end of each request. */
  async run(organizationId: string): Promise<void> {
    this.counts.set(organizationId, { held: 0, refused: 0, away: 0 });
    await Promise.all(this.options.edges.map((_, edge) => this.runAt(edge, organizationId)));
  }

  private async runAt(edge: number, organizationId: string): Promise<void> {
    while (!this.isStopped) {
      const holdId = randomUUID();
      const amount = UNIT * BigInt(1 + (parseInt(holdId.slice(0, 4), 16) % 20));
      const outcome = await this.ask(edge, { organizationId, amount }, holdId);
      const counts = this.counts.get(organizationId) as LoadCounts;
      counts[outcome] += 1;
      if (outcome === 'held') void this.finish(holdId);
      await pause(outcome === 'away' ? 20 : 2);
    }
  }

  private async ask(edge: number, { organizationId, amount }: Held, holdId: string): Promise<keyof LoadCounts> {
    const { scope, max, edges } = this.options;
    const store = edges[edge] as RedisHoldStore;
    const request = { organizationId, holdId, ttlMs: TTL_MS, limits: [{ scope, max }], amounts: [amount], leasts: [amount] };
    const circuit = this.circuits[edge] as ReturnType<typeof createCircuit>;
    try {
      for (;;) {
        const answer = await circuit(async () => store.reserve(request), organizationId);
        if (answer.kind === 'refused') return 'refused';
        if (answer.kind === 'held') break;
        await circuit(() => store.seed(organizationId, [{ scope, base: 0n, version: 0n }]), organizationId);
      }
    } catch (error) {
      // It may have been done all the same.
      if (!(error instanceof HoldsUnavailableError)) store.settle(this.settled(organizationId, holdId, 0n))?.catch(() => undefined);
      return 'away';
    }
    const taken = this.takenOf(organizationId) + amount;
    this.taken.set(organizationId, taken);
    this.running.set(holdId, { organizationId, amount });
    if (taken > max) throw new Error(`${taken} of ${max} are taken of ${organizationId}`);
    return 'held';
  }

  private async finish(holdId: string): Promise<void> {
    await pause(30);
    const { organizationId, amount } = this.running.get(holdId) as Held;
    const spent = (amount / 2n / UNIT) * UNIT;
    this.running.delete(holdId);
    this.ended.set(holdId, { organizationId, amount: spent });
    this.taken.set(organizationId, this.takenOf(organizationId) - amount + spent);
    await this.options.worker.settle(this.settled(organizationId, holdId, spent))?.catch(() => undefined);
  }

  /** Until it is done, as workers do: what runs, and what has ended and is not committed. */
  async reportAll(): Promise<void> {
    const { worker, scope } = this.options;
    const all: Promise<unknown>[] = [];
    for (const [holdId, { organizationId, amount }] of this.running)
      all.push(this.again(() => worker.renew({ organizationId, holdId, scopes: [scope], amounts: [amount] }, TTL_MS)));
    for (const [holdId, { organizationId, amount }] of this.ended)
      all.push(this.again(() => worker.register(this.settled(organizationId, holdId, amount))));
    await Promise.all(all);
  }

  private async again(call: () => Promise<void> | undefined): Promise<void> {
    for (let tries = 0; tries < TRIES_ONCE_STOPPED || !this.isStopped; tries += 1) {
      try {
        return await call();
      } catch {
        await pause(50);
      }
    }
    throw new Error('what runs could not be reported');
  }

  private settled(organizationId: string, holdId: string, spent: bigint): Parameters<HoldStore['settle']>[0] {
    return { organizationId, holdId, scopes: [this.options.scope], spent: [spent] };
  }
}
