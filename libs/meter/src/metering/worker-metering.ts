import type { RequestMeterParts } from './request-meter';

/** What every worker needs of the money path. */
export type WorkerMetering = {
  /** What its requests are accounted with: see RequestMeter. */
  readonly requests: RequestMeterParts;
  /** False while usage could not be journalled. */
  readonly isMeteringReady: () => boolean;
  /** Returns null when last bytes need not wait for the disk. */
  readonly whenDurable: () => Promise<void> | null;
};
