import type { Dice } from './dice';
import type { Mutation } from './mutations';

/** What goes wrong in a world. Which of these a world has follows from its seed: some find each other only without the rest. */
export const FAULT_KINDS = [
  'kill',
  'power-cut',
  'freeze',
  'line-cut',
  'request-lost',
  'reply-lost',
  'duplicate',
  'delay',
  'clock-skew',
  'disk-error',
  'disk-full',
  'disk-slow',
  'counters-lost',
  'counters-away',
  'bus-lost',
  'bus-away',
  'rebalance',
  'database-abort',
  'database-away',
  'provider',
  'impossible-usage',
  'caller-leaves',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export type FaultOptions = { readonly kinds: ReadonlySet<FaultKind>; readonly mutation: Mutation | null };

/** Of a step of a process; the steps of a request are some dozens. */
const DEATHS = [1 / 20_000, 1 / 3_000, 1 / 600];
/** By how much everything is more or less likely in a world. */
const SEVERITIES = [0.3, 1, 3];

/** Throws the dice for whatever may fail at this moment, and counts what did. */
export class Faults {
  readonly counts = new Map<FaultKind, number>();
  /** Nothing fails any more: the world heals. */
  isOver = false;
  private readonly deaths: number;
  private readonly severity: number;
  private readonly ofProcesses: Dice;
  private readonly ofDisks: Dice;
  private readonly ofParts: Dice;

  constructor(
    private readonly options: FaultOptions,
    dice: Dice,
  ) {
    this.deaths = dice.fork('deaths').pick(DEATHS);
    this.severity = dice.fork('severity').pick(SEVERITIES);
    this.ofProcesses = dice.fork('processes');
    this.ofDisks = dice.fork('disks');
    this.ofParts = dice.fork('parts');
  }

  has(kind: FaultKind): boolean {
    return !this.isOver && this.options.kinds.has(kind);
  }

  count(kind: FaultKind): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  /** True where it happens now, which is counted. */
  happens(kind: FaultKind, probability: number): boolean {
    if (!this.has(kind) || !this.ofParts.chance(probability * this.severity)) return false;
    this.count(kind);
    return true;
  }

  isMutated(mutation: Mutation): boolean {
    return this.options.mutation === mutation;
  }

  /** The same for what is as likely in every world. */
  strikes(kind: FaultKind): boolean {
    if (this.has(kind)) this.count(kind);
    return this.has(kind);
  }

  diesAt(_process: string, _step: string): boolean {
    if (!this.has('kill') || !this.ofProcesses.chance(this.deaths)) return false;
    this.count('kill');
    return true;
  }

  tearsWrite(_process: string): boolean {
    if (!this.has('kill') || !this.ofProcesses.chance(this.deaths / 2)) return false;
    this.count('kill');
    return true;
  }

  diskDelayMs(least: number, most: number): number {
    const usual = least + this.ofDisks.next() * (most - least);
    if (!this.has('disk-slow') || !this.ofDisks.chance(0.01)) return usual;
    this.count('disk-slow');
    return usual * this.ofDisks.between(20, 400);
  }

  /** What of the unsynced a power cut leaves. */
  keeps(): number {
    return this.ofDisks.next();
  }
}
