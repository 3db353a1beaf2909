import { usageEvent, type Passport, type PassportHold, type UsageEvent, type UsageStatus } from '@weir/contracts';
import type { SimDisk } from '../disk/sim-disk';
import type { Script } from '../load/script';
import type { SimProcess } from '../physics/sim-process';
import { amountOf, Oracle } from '../oracle/oracle';
import { makeCustomers, type Customers } from '../load/customers';
import { Bus } from '../parts/bus';
import { Counters } from '../parts/counters';
import { Database } from '../parts/postgres/database';
import type { EventRow } from '../parts/postgres/tables';
import type { Physics, WorldDice } from '../physics/physics';
import { createDice, type Dice } from '../physics/dice';
import { Faults, type FaultOptions } from '../physics/faults';
import { Scheduler } from '../physics/scheduler';
import { createTrace, type Trace } from '../physics/trace';

type Settings = {
  readonly durability: 'process' | 'power';
  readonly segmentBytes: number;
  /** Enough for an end or two, or for all. */
  readonly reserveBytes: number;
  readonly resendAfterMs: number;
  readonly holdTtlMs: number;
  readonly edges: number;
  readonly workers: number;
  readonly aggregators: number;
  readonly startMs: number;
};

/** In the middle of a day, and just before an hour, a day, and a month are over. */
const STARTS = [
  Date.UTC(2026, 10, 12, 9, 20),
  Date.UTC(2026, 10, 12, 9, 59, 30),
  Date.UTC(2026, 10, 12, 23, 59, 40),
  Date.UTC(2026, 10, 30, 23, 59, 45),
];

export type WorldOptions = FaultOptions & { readonly seed: number; readonly requests: number; readonly isDetailed?: boolean };

/** What the caller of a request is sent last. */
export type Ending = { readonly status: UsageStatus; readonly costPico: bigint };

/** A machine with a disk, on which one worker lives after another. */
export type Machine = {
  readonly name: string;
  readonly isUp: boolean;
  readonly disk: SimDisk;
  readonly process: SimProcess | null;
  /** How many workers there were. */
  readonly lives: number;
  /** Nothing is open, and all that ended is known to be counted. */
  readonly isAtRest: boolean;
  /** The disk had no space to recover a journal: it waits for the next start. */
  readonly isWaiting: boolean;
  serve(passport: Passport, script: Script, caller: { readonly isGone: () => boolean }): Promise<Ending>;
};

/** All parts of a gateway and all that is outside of it, made from a seed. */
export class World implements Physics {
  readonly isDetailed: boolean;
  readonly dice: WorldDice;
  readonly settings: Settings;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly faults: Faults;
  readonly oracle: Oracle;
  readonly customers: Customers;
  readonly database: Database;
  readonly counters: Counters;
  readonly bus: Bus;
  /** Machines with workers, once they are there. */
  workers: readonly Machine[] = [];
  /** Pairs of names that do not reach each other. */
  readonly cuts = new Set<string>();
  /** Granted by an edge and not arrived at a worker. */
  readonly grants = new Map<string, { readonly organizationId: string; readonly hold: PassportHold }>();
  /** An error that no one handles: the world is broken, or the product is. */
  escaped: unknown;

  constructor(readonly options: WorldOptions) {
    const dice = createDice(options.seed).fork('world');
    const [load, network, database] = [dice.fork('load'), dice.fork('network'), dice.fork('database')];
    this.dice = { load, network, database, names: dice.fork('names'), faults: dice.fork('faults'), skew: dice.fork('skew') };
    this.settings = chooseSettings(dice.fork('settings'));
    this.scheduler = new Scheduler(this.settings.startMs, (error) => this.onEscaped(error));
    this.trace = createTrace(() => this.scheduler.nowMs - this.settings.startMs);
    this.faults = new Faults(options, dice);
    this.customers = makeCustomers(dice.fork('customers'), options.requests, this.settings.startMs);
    this.oracle = new Oracle(this.customers.maxima);
    this.isDetailed = options.isDetailed === true;
    this.database = new Database(this, (rows) => this.onCommit(rows));
    this.bus = new Bus(this);
    this.counters = new Counters(this, this.settings.holdTtlMs, (organizationId, dayMs) =>
      Promise.resolve(this.database.tables.freeDays.get(`${organizationId} ${dayMs / 1000}`) ?? 0),
    );
  }

  isCut(one: string, other: string): boolean {
    return this.cuts.size > 0 && (this.cuts.has(`${one} ${other}`) || this.cuts.has(`${other} ${one}`));
  }

  /** `askedOf`: the generation of counters in which it was asked for. */
  granted(organizationId: string, hold: PassportHold, askedOf: number): void {
    this.grants.set(hold.id, { organizationId, hold });
    if (this.counters.hasDecidedSince(askedOf) && !hold.isLeased) void this.allowLate(organizationId, hold).catch(this.onEscaped);
  }

  /** Counters were lost while their reply was at an edge that stood still: what they do not know of it may be spent twice. */
  private async allowLate(organizationId: string, hold: PassportHold): Promise<void> {
    for (const [at, scope] of hold.scopes.entries()) {
      const { open } = await this.counters.holds.readScope(organizationId, scope);
      if (!open.some(({ holdId }) => holdId === hold.id)) this.oracle.allow(organizationId, scope, amountOf(hold, at));
    }
  }

  readonly onEscaped = (error: unknown): void => {
    if (error instanceof Error && error.name === 'ProcessDied') return;
    this.escaped ??= error;
  };

  /** Called with the events of every commit: so much callers are charged by now. */
  private onCommit(rows: readonly EventRow[]): void {
    this.trace.note('database', `commits ${rows.map(({ eventId, sequence }) => `${eventId}@${sequence}`).join(' ')}`);
    for (const { payload } of rows) this.oracle.committed(usageEvent.parse(JSON.parse(payload)));
  }

  /** Of everything that is counted, in the order in which it was. */
  events(): UsageEvent[] {
    return [...this.database.tables.events.values()].map(({ payload }) => usageEvent.parse(JSON.parse(payload)));
  }
}

function chooseSettings(dice: Dice): Settings {
  return {
    durability: dice.pick(['process', 'power'] as const),
    segmentBytes: dice.pick([8_000, 30_000, 200_000, 64 * 1024 * 1024]),
    reserveBytes: dice.fork('reserve').pick([4_000, 100_000]),
    resendAfterMs: dice.pick([3_000, 15_000, 120_000]),
    holdTtlMs: dice.pick([9_000, 30_000, 120_000]),
    edges: dice.between(1, 3),
    workers: dice.between(1, 3),
    aggregators: dice.between(1, 2),
    startMs: dice.pick(STARTS),
  };
}
