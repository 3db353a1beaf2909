import type { PassportHold } from '@weir/contracts';
import { SETTLING_MS } from '../parts/counters';
import { amountOf, type RequestFacts } from '../oracle/oracle';
import type { FaultKind } from '../physics/faults';
import type { Supervisor } from './supervisor';
import type { World } from '../world/world';

const TICK_MS = 500;

type Act = (world: World, supervisor: Supervisor) => void;

/** What happens out of the blue, and how likely in each half second. */
const ACTS: readonly (readonly [FaultKind, number, Act])[] = [
  ['kill', 0.03, (world, supervisor) => pickLiving(world, supervisor)?.kill('is killed')],
  ['power-cut', 0.02, cutPower],
  ['freeze', 0.02, freeze],
  ['line-cut', 0.03, cutLine],
  ['disk-error', 0.008, failDisk],
  ['disk-full', 0.01, fillDisk],
  ['counters-lost', 0.012, loseCounters],
  ['counters-away', 0.012, (world) => takeAway(world, world.counters, 8_000)],
  ['bus-lost', 0.008, loseBus],
  ['bus-away', 0.012, (world) => takeAway(world, world.bus, 10_000)],
  ['rebalance', 0.02, (_world, supervisor) => supervisor.rebalance()],
  ['database-away', 0.012, crashDatabase],
];

export function planFaults(world: World, supervisor: Supervisor): void {
  const tick = (): void => {
    if (world.faults.isOver) return;
    for (const [kind, probability, act] of ACTS) {
      if (!world.faults.happens(kind, probability)) continue;
      world.trace.note('world', `FAULT ${kind}`);
      act(world, supervisor);
    }
    world.scheduler.after(TICK_MS, null, tick);
  };
  world.scheduler.after(TICK_MS, null, tick);
}

/** Everything is there again and stays. */
export function heal(world: World, supervisor: Supervisor): void {
  world.faults.isOver = true;
  world.trace.note('world', 'heals');
  world.cuts.clear();
  for (const part of [world.counters, world.bus, world.database]) part.isUp = true;
  for (const { disk } of world.workers) {
    disk.capacity = Infinity;
    disk.failsNext = null;
  }
  for (const process of supervisor.living()) process.frozenUntilMs = -Infinity;
}

function pickLiving(world: World, supervisor: Supervisor) {
  const living = supervisor.living();
  return living.length === 0 ? undefined : world.dice.faults.pick(living);
}

/** Of a machine whose journal promises to survive it. */
function cutPower(world: World): void {
  if (world.settings.durability !== 'power') return;
  const slot = world.dice.faults.pick(world.workers);
  slot.process?.kill('loses its power');
  world.oracle.powerCut(slot.name);
  slot.disk.cutPower(() => world.faults.keeps());
}

function freeze(world: World, supervisor: Supervisor): void {
  const process = pickLiving(world, supervisor);
  if (process === undefined) return;
  process.frozenUntilMs = world.scheduler.nowMs + world.dice.faults.between(500, 16_000);
  world.trace.note(process.name, 'FAULT freezes');
}

function cutLine(world: World, supervisor: Supervisor): void {
  const { faults } = world.dice;
  const one = pickLiving(world, supervisor)?.name;
  const others = ['counters', 'bus', 'database', ...world.workers.map(({ name }) => name)].filter((name) => name !== one);
  const pair = `${one} ${faults.pick(others)}`;
  world.cuts.add(pair);
  world.trace.note('world', `FAULT cuts ${pair}`);
  world.scheduler.after(faults.between(300, 12_000), null, () => world.cuts.delete(pair));
}

function failDisk(world: World): void {
  const { faults } = world.dice;
  faults.pick(world.workers).disk.failsNext = faults.pick(['write', 'sync'] as const);
}

function fillDisk(world: World): void {
  const { faults } = world.dice;
  const { disk } = faults.pick(world.workers);
  disk.capacity = disk.used + faults.between(0, 3_000);
  world.scheduler.after(faults.between(500, 8_000), null, () => (disk.capacity = Infinity));
}

function takeAway(world: World, part: { isUp: boolean }, mostMs: number): void {
  part.isUp = false;
  world.scheduler.after(world.dice.faults.between(200, mostMs), null, () => (part.isUp = true));
}

function loseBus(world: World): void {
  world.bus.isUp = false;
  world.scheduler.after(world.dice.faults.between(0, 3_000), null, () => {
    world.bus.lose();
    world.bus.isUp = true;
  });
}

function crashDatabase(world: World): void {
  world.database.isUp = false;
  world.database.crash();
  world.scheduler.after(world.dice.faults.between(100, 6_000), null, () => (world.database.isUp = true));
}

function loseCounters(world: World): void {
  const { counters, scheduler, dice } = world;
  counters.isUp = false;
  const leases = listLeases(world);
  scheduler.after(dice.faults.between(0, 3_000), null, () => {
    counters.lose();
    counters.isUp = true;
    scheduler.after(SETTLING_MS, null, () => void allowUnknown(world, leases).catch(world.onEscaped));
  });
}

type Lease = { readonly organizationId: string; readonly scope: string; readonly amount: bigint };

/** What edges had put aside: of those that do not learn of the loss, it may be spent although others get it as well. */
async function listLeases(world: World): Promise<Lease[]> {
  const { holds } = world.counters;
  const leases: Lease[] = [];
  for (const { organizationId, scope } of await holds.listScopes()) {
    const { open } = await holds.readScope(organizationId, scope);
    for (const { holdId, amount } of open) if (holdId.startsWith('lease:')) leases.push({ organizationId, scope, amount });
  }
  return leases;
}

/**
 * What is promised of counters that were lost ends where the one who knows cannot report in time: a worker that is dead, frozen
 * or cut off, and a request that is between edge and worker. So much may be spent twice.
 */
async function allowUnknown(world: World, leases: Promise<Lease[]>): Promise<void> {
  const { oracle, grants } = world;
  for (const { organizationId, scope, amount } of await leases) oracle.allow(organizationId, scope, amount);
  for (const request of oracle.requests.values()) if (request.hold !== null) await allowRequest(world, request, request.hold);
  for (const { organizationId, hold } of grants.values()) {
    for (const [at, scope] of hold.scopes.entries()) oracle.allow(organizationId, scope, amountOf(hold, at));
  }
}

async function allowRequest({ oracle, counters }: World, request: RequestFacts, hold: PassportHold): Promise<void> {
  const { organizationId } = request;
  // What a death cut short, and what a power cut may have taken or left: no one knows before it is recovered and counted.
  const mayCome = [...request.attempts.values()].some(
    ({ isExcused, isEndLost, isCounted, receiptPico }) => !isCounted && (isExcused || isEndLost || receiptPico === undefined),
  );
  const isOpen = request.isRunning || request.attempts.size === 0 || mayCome;
  const isCommitted = request.spent.every((amount, at) => amount <= (request.committed[at] ?? 0n));
  if (!isOpen && isCommitted) return;
  const taken = oracle.taken(request);
  for (const [at, scope] of hold.scopes.entries()) {
    const { open, settled } = await counters.holds.readScope(organizationId, scope);
    if ([...open, ...settled].some(({ holdId }) => holdId === request.id)) continue;
    oracle.allow(organizationId, scope, isOpen ? amountOf(hold, at) : (taken[at] ?? 0n));
  }
}
