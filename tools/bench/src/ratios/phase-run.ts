import type { Checkout } from './checkout';
import type { RatioOptions } from './options';
import type { Tools } from './start-tools';

/** What every phase is given. */
export type PhaseRun = {
  readonly tools: Tools;
  readonly checkouts: readonly Checkout[];
  readonly options: RatioOptions;
  readonly announce: (line: string) => void;
};
