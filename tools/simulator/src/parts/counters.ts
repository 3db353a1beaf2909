import { createMemoryFreeModelDays, createMemoryHoldStore, type CountFreeSlots, type FreeModelDays, type HoldStore } from '@weir/limits';
import { createMemoryWatermarkStore, type WatermarkStore } from '@weir/usage';
import type { Physics } from '../physics/physics';

/** So long after they were lost counters are trusted again, as those of Redis: see `watchGeneration` of redis-stores. */
export const SETTLING_MS = 2_000;

/**
 * The server that all processes keep counters, free slots and watermarks in. It forgets all of it when it is emptied, and
 * begins a new generation then. What it does with a call is the product's store for one process.
 */
export class Counters {
  readonly name = 'counters';
  isUp = true;
  generation = 0;
  /** The latest generation that is over and lasted long enough for something to be decided by it. */
  private lastTrusted = 0;
  private bornMs = -Infinity;
  private kept: Kept;

  constructor(
    private readonly world: Physics,
    private readonly slotsKeptMs: number,
    private readonly countSlots: CountFreeSlots,
  ) {
    this.kept = this.open();
  }

  get holds(): HoldStore {
    return this.kept.holds;
  }

  get watermarks(): WatermarkStore {
    return this.kept.watermarks;
  }

  get freeDays(): FreeModelDays {
    return this.kept.freeDays;
  }

  /** How long this generation has lasted. */
  ageMs(): number {
    return this.world.scheduler.nowMs - this.bornMs;
  }

  /** Whether anything was decided by counters that were begun after that generation was lost. */
  hasDecidedSince(generation: number): boolean {
    return this.lastTrusted > generation || (this.generation > generation && this.ageMs() >= SETTLING_MS);
  }

  lose(): void {
    if (this.ageMs() >= SETTLING_MS) this.lastTrusted = this.generation;
    this.kept = this.open();
    this.generation += 1;
    this.bornMs = this.world.scheduler.nowMs;
  }

  private open(): Kept {
    const now = (): number => this.world.scheduler.nowMs;
    const holds = forgetLate(createMemoryHoldStore({ now }));
    return {
      holds: this.world.faults.isMutated('expire-too-early') ? forgetWriters(holds) : holds,
      watermarks: createMemoryWatermarkStore(),
      freeDays: createMemoryFreeModelDays({ countSlots: this.countSlots, keptMs: this.slotsKeptMs, now }),
    };
  }
}

type Kept = { readonly holds: HoldStore; readonly watermarks: WatermarkStore; readonly freeDays: FreeModelDays };

/**
 * What a writer sent and died over may arrive after its successor has retired it, and no one would retire it again. In Redis it
 * is forgotten after a day, for which no world lasts: here at once.
 */
function forgetLate(holds: HoldStore): HoldStore {
  const retired = new Set<string>();
  return {
    ...holds,
    enrolWriter: (writerId) => (retired.has(writerId) ? Promise.resolve(0) : holds.enrolWriter(writerId)),
    reportWriter: (writerId, asOfMs) => (retired.has(writerId) ? Promise.resolve() : holds.reportWriter(writerId, asOfMs)),
    retireWriter: (writerId) => {
      retired.add(writerId);
      return holds.retireWriter(writerId);
    },
  };
}

/** As if every journal had reported all that it knows, at every moment. */
function forgetWriters(holds: HoldStore): HoldStore {
  const known = new Set<string>();
  return {
    ...holds,
    enrolWriter: (writerId) => {
      known.add(writerId);
      return holds.enrolWriter(writerId);
    },
    reserve: (request) => {
      for (const writerId of known) void holds.reportWriter(writerId, Number.MAX_SAFE_INTEGER);
      return holds.reserve(request);
    },
  };
}
