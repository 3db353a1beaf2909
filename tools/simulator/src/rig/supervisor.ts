import { startAggregator } from '../processes/start-aggregator';
import { startEdge, type EdgeLife } from '../processes/start-edge';
import { WorkerSlot } from '../processes/worker-slot';
import { SimProcess } from '../physics/sim-process';
import type { World } from '../world/world';

type Kind = 'edge' | 'worker' | 'aggregator';
type Place = { readonly kind: Kind; readonly at: number; readonly name: string; process: SimProcess | null; edge: EdgeLife | null };

/** Clocks differ by less than a fifth of a hold's time, which is what is left after a third of it. */
const SKEW_SHARE = 0.1;
const DOWN_MS = { least: 50, most: 6_000 };
/** One in five stays away for longer than holds last. */
const AWAY = { share: 0.2, mostMs: 40_000 };
/** A member of the bus's group that was silent for so long is out of it. */
const SESSION_MS = 4_000;
const LOOK_MS = 500;

/** Starts processes and starts them again when they have died. */
export class Supervisor {
  readonly places: readonly Place[];
  private shift = 0;
  private assigned = '';
  private readonly slots: readonly WorkerSlot[];

  constructor(private readonly world: World) {
    const { edges, workers, aggregators } = world.settings;
    this.slots = Array.from({ length: workers }, (_, at) => new WorkerSlot(world, `worker-${at}`));
    world.workers = this.slots;
    const make = (kind: Kind, count: number): Place[] =>
      Array.from({ length: count }, (_, at) => ({ kind, at, name: `${kind}-${at}`, process: null, edge: null }));
    this.places = [...make('worker', workers), ...make('aggregator', aggregators), ...make('edge', edges)];
  }

  startAll(): void {
    for (const place of this.places) this.start(place);
    const look = (): void => {
      this.assignPartitions();
      this.world.scheduler.after(LOOK_MS, null, look);
    };
    look();
  }

  /** Of those that live. */
  edges(): readonly EdgeLife[] {
    return this.places.flatMap(({ edge, process }) => (edge !== null && process?.isAlive === true ? [edge] : []));
  }

  living(): readonly SimProcess[] {
    return this.places.flatMap(({ process }) => (process?.isAlive === true ? [process] : []));
  }

  rebalance(): void {
    this.shift += 1;
    this.assigned = '';
  }

  private start(place: Place): void {
    const { world } = this;
    const skewMs = world.faults.has('clock-skew') ? (world.dice.skew.next() * 2 - 1) * SKEW_SHARE * world.settings.holdTtlMs : 0;
    if (skewMs !== 0) world.faults.count('clock-skew');
    const process = new SimProcess(world, place.name, skewMs, () => this.died(place));
    place.process = process;
    world.trace.note(place.name, 'starts');
    try {
      if (place.kind === 'worker') this.slots[place.at]?.start(process);
      else if (place.kind === 'aggregator') startAggregator(world, process);
      else place.edge = startEdge(world, process);
    } catch (error) {
      world.onEscaped(isExpected(error) ? undefined : error);
      process.kill('cannot start');
    }
  }

  private died(place: Place): void {
    const { world } = this;
    if (place.kind === 'worker') {
      const hadUnwritten = this.slots[place.at]?.died() === true;
      world.oracle.workerDied(place.name, hadUnwritten);
    }
    place.edge = null;
    const { faults } = world.dice;
    const mostMs = faults.chance(AWAY.share) ? AWAY.mostMs : DOWN_MS.most;
    const downMs = world.faults.isOver ? DOWN_MS.least : faults.between(DOWN_MS.least, mostMs);
    world.scheduler.after(downMs, null, () => this.start(place));
  }

  /** Who is frozen, or cut off from the bus, loses its partitions and learns of it when it asks. */
  private assignPartitions(): void {
    const { world } = this;
    const members = this.places
      .filter(({ kind, process }) => kind === 'aggregator' && process?.isAlive === true)
      .filter(({ process }) => (process?.frozenUntilMs ?? 0) < world.scheduler.nowMs + SESSION_MS)
      .map(({ name }) => name);
    const wanted = `${members.join(' ')} ${this.shift}`;
    if (wanted === this.assigned) return;
    this.assigned = wanted;
    if (members.length > 0) world.bus.assign(members, this.shift);
  }
}

/** A disk that is full, or fails, keeps a worker from starting. */
function isExpected(error: unknown): boolean {
  const { code, name, reason } = error as { code?: string; name?: string; reason?: string };
  return name === 'ProcessDied' || code === 'ENOSPC' || code === 'EIO' || reason === 'full' || reason === 'failed';
}
