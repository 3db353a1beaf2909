import type { Dice } from './dice';
import type { Faults } from './faults';
import type { Scheduler } from './scheduler';
import type { Trace } from './trace';

export type WorldDice = Readonly<Record<'load' | 'network' | 'database' | 'names' | 'faults' | 'skew', Dice>>;

/** What everything in a world has to do with. */
export type Physics = {
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly faults: Faults;
  readonly dice: WorldDice;
  /** Every call is in the trace. */
  readonly isDetailed: boolean;
  /** Whether two of these names do not reach each other. */
  isCut(one: string, other: string): boolean;
};
