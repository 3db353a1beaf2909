import type { Passport } from '@weir/contracts';
import type { FreeSlots } from '@weir/limits';
import type { Meter } from '../meter';
import type { OnSlotLost } from './keep-free-slots';

/** What every worker needs of the money path. */
export type WorkerMetering = {
  readonly meter: Meter;
  /** Called for every request that is over. */
  readonly finishHold: (passport: Passport) => void;
  /** Where slots of free-model days are kept, used and given back. */
  readonly freeModelDays: FreeSlots;
  readonly onSlotLost: OnSlotLost;
  /** False while usage could not be journalled. */
  readonly isMeteringReady: () => boolean;
  /** Null when last bytes need not wait for the disk. */
  readonly whenDurable: (() => Promise<void>) | null;
};
