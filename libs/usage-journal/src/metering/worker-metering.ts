import type { Passport } from '@weir/contracts';
import type { FreeSlots } from '@weir/limits';
import type { Meter } from '../meter';

/** What every worker needs of the money path. */
export type WorkerMetering = {
  readonly meter: Meter;
  /** Told of every request that is over. */
  readonly finishHold: (passport: Passport) => void;
  /** Where slots of free-model days are kept, used and given back. */
  readonly freeModelDays: FreeSlots;
  /** Told when it could not be told there what became of a place. */
  readonly onSlotLost: (error: unknown) => void;
  /** False while usage could not be journalled. */
  readonly isMeteringReady: () => boolean;
  /** Null when last bytes need not wait for the disk. */
  readonly whenDurable: (() => Promise<void>) | null;
};
