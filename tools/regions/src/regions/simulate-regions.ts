import { createRandom, type Random } from '../random';
import { createVirtualTime, type VirtualTime } from '../virtual-time';
import { planFaults } from './faults';
import { Home } from './home';
import type { Mutation } from './mutations';
import { Network } from './network';
import { Region } from './region';
import { InvariantError, Watch } from './watch';

export type RegionRun = {
  readonly seed: number;
  /** A mistake that is built in. */
  readonly mutation?: Mutation | null;
};

export type RegionCounts = { readonly admitted: number; readonly refused: number; readonly cap: bigint; readonly spent: bigint };

const NAMES = ['home-side', 'east', 'west'];
const LOADED_MS = 90_000;
/** By then all that ran has ended and was reported. */
const QUIET_MS = 50_000;
const RUNS_MS_MAX = 30_000;
const TICK_MS = 250;
const AMOUNT_MAX = 20;
const CAP = { min: 1_000, max: 12_000 } as const;
const SILENT_MS = 3_000;

type Running = { readonly region: Region; readonly amount: bigint };

/**
 * Plays one history of three active regions with one hard cap, the same for the same seed: callers that ask more or less in each region,
 * messages lost, late, doubled and out of order, regions cut off, clocks that are wrong, regions and home that crash. Throws
 * `InvariantError`, at the moment when an invariant does not hold.
 */
export async function simulateRegions({ seed, mutation = null }: RegionRun): Promise<RegionCounts> {
  const world = new World(seed, mutation);
  world.run();
  await world.compareBooks();
  return world.counts();
}

class World {
  private readonly random: Random;
  private readonly time: VirtualTime = createVirtualTime();
  private readonly network: Network;
  private readonly home: Home;
  private readonly regions: readonly Region[];
  private readonly cap: bigint;
  private readonly watch: Watch;
  private readonly running = new Map<string, Running>();
  private readonly heardMs = new Map<string, number>();
  private requests = 0;
  private isLoaded = true;

  constructor(
    seed: number,
    private readonly mutation: Mutation | null,
  ) {
    const random = (this.random = createRandom(seed));
    const { time } = this;
    this.network = new Network(time, random);
    this.cap = BigInt(random.integer(CAP.min, CAP.max));
    this.watch = new Watch(this.cap, time.nowMs);
    this.regions = NAMES.map((name) => this.openRegion(name));
    this.home = new Home({
      ...{ cap: this.cap, regions: NAMES, mutation, now: time.nowMs },
      send: (name, message) => this.network.send(name, () => this.atRegion(name, (region) => region.receive(message))),
    });
  }

  run(): void {
    for (const region of this.regions) this.load(region);
    planFaults({
      ...{ random: this.random, time: this.time, network: this.network, home: this.home, regions: this.regions, untilMs: LOADED_MS },
      crash: (region) => this.crash(region),
      onCount: (count) => this.watch.setWhole(count === 0),
    });
    if (this.mutation === 'silent regions lose their leases') this.believeSilence();
    this.time.runUntil(LOADED_MS);
    this.isLoaded = false;
    this.time.runUntil(LOADED_MS + QUIET_MS);
  }

  counts(): RegionCounts {
    const { admitted, refused, spentSoFar } = this.watch;
    return { admitted, refused, cap: this.cap, spent: spentSoFar };
  }

  /** All leases are given back: home knows what was spent to the last digit. */
  async compareBooks(): Promise<void> {
    const taken = await this.home.readTaken();
    if (taken !== this.watch.spentSoFar)
      throw new InvariantError('books differ', `${taken} are counted, ${this.watch.spentSoFar} were spent`);
  }

  /** A clock that is up to an hour wrong, and goes up to a fifth too fast or too slow. */
  private openRegion(name: string): Region {
    const { random, time, mutation } = this;
    const [pace, offsetMs] = [1 + (random.next() - 0.5) * 0.4, random.integer(0, 3_600_000)];
    const region = new Region({
      ...{ name, mutation, now: () => offsetMs + time.nowMs() * pace },
      send: (report) =>
        this.network.send(name, () => {
          this.heardMs.set(name, time.nowMs());
          this.home.receive(report);
        }),
    });
    const tick = (): void => {
      if (region.isUp && !this.isLoaded) region.closeAll();
      region.tick();
      time.after(TICK_MS / pace, tick);
    };
    time.after(random.integer(0, TICK_MS), tick);
    return region;
  }

  private atRegion(name: string, act: (region: Region) => void): void {
    const region = this.regions.find((each) => each.name === name);
    if (region === undefined) return;
    act(region);
    this.watch.free(name, region.free());
  }

  /** Callers of one region: for some seconds so many, then more, fewer or none. */
  private load(region: Region): void {
    let meanMs = 100;
    const change = (): void => {
      meanMs = this.random.pick([25, 60, 120, 400, 5_000]);
      this.time.after(this.random.integer(2_000, 15_000), change);
    };
    const next = (): void => {
      if (!this.isLoaded) return;
      this.ask(region);
      this.time.after(Math.min(1_000, -Math.log(1 - this.random.next()) * meanMs), next);
    };
    change();
    next();
  }

  private ask(region: Region): void {
    if (!region.isUp) return;
    const amount = BigInt(this.random.integer(1, AMOUNT_MAX));
    const holdId = `r${(this.requests += 1)}`;
    if (!region.admit(holdId, amount)) return this.watch.refuse(region.name, amount);
    this.running.set(holdId, { region, amount });
    this.watch.admit(amount);
    this.time.after(this.random.chance(0.1) ? this.random.integer(2_000, RUNS_MS_MAX) : this.random.integer(10, 2_000), () =>
      this.end(holdId),
    );
  }

  private end(holdId: string): void {
    const request = this.running.get(holdId);
    if (request === undefined) return; // its region crashed
    request.region.end(holdId, this.charge(holdId));
  }

  private charge(holdId: string): bigint {
    const { amount } = this.running.get(holdId) as Running;
    const spent = BigInt(this.random.integer(0, Number(amount)));
    this.running.delete(holdId);
    this.watch.end(amount, spent);
    return spent;
  }

  private crash(region: Region): void {
    region.crash((holdId) => this.charge(holdId));
  }

  private believeSilence(): void {
    const look = (): void => {
      for (const [name, atMs] of this.heardMs) if (this.time.nowMs() - atMs > SILENT_MS) this.home.forgetSilent(name);
      this.time.after(TICK_MS, look);
    };
    look();
  }
}
