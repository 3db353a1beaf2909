import type { Passport } from '@weir/contracts';
import type { FreeModelDays } from '@weir/limits';
import type { Till } from '../till';

/** What every worker needs of the money path. */
export type WorkerMetering = {
  readonly till: Till;
  /** Told of every request that is over. */
  readonly finishHold: (passport: Passport) => void;
  /** Where places of free-model days are given back. */
  readonly freeModelDays: Pick<FreeModelDays, 'giveBack'>;
  /** Told of a place that could not be given back. */
  readonly onPlaceLost: (error: unknown) => void;
  /** False while usage could not be journalled. */
  readonly isMeteringReady: () => boolean;
  /** Null when last bytes need not wait for the disk. */
  readonly whenDurable: (() => Promise<void>) | null;
};
