type RetryBudgetOptions = {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Retries and fallbacks, as a share of the requests. */
  readonly share?: number;
  /** So many a second are always allowed. */
  readonly perSecondMin?: number;
};

/**
 * How many further attempts may follow failed ones in this process: a share of the requests of the last seconds, so that
 * trying again cannot multiply the load on providers that are down.
 */
export type RetryBudget = {
  noteRequest(): void;
  /** Takes one further attempt out of the budget; false when nothing is left. */
  take(): boolean;
};

const SHARE = 0.2;
const PER_SECOND_MIN = 3;
const CELL_MS = 1_000;
const CELLS = 10;

export function createRetryBudget({ now, share = SHARE, perSecondMin = PER_SECOND_MIN }: RetryBudgetOptions): RetryBudget {
  const requests = new Array<number>(CELLS).fill(0);
  const retries = new Array<number>(CELLS).fill(0);
  let atCell = Math.floor(now() / CELL_MS);
  let [requestsSum, retriesSum] = [0, 0];

  const moveOn = (): void => {
    const cell = Math.floor(now() / CELL_MS);
    for (let past = Math.max(atCell + 1, cell - CELLS + 1); past <= cell; past += 1) {
      requestsSum -= requests[past % CELLS] ?? 0;
      retriesSum -= retries[past % CELLS] ?? 0;
      requests[past % CELLS] = 0;
      retries[past % CELLS] = 0;
    }
    atCell = cell;
  };

  return {
    noteRequest: () => {
      moveOn();
      requests[atCell % CELLS] = (requests[atCell % CELLS] ?? 0) + 1;
      requestsSum += 1;
    },
    take: () => {
      moveOn();
      if (retriesSum + 1 > share * requestsSum + (perSecondMin * CELLS * CELL_MS) / 1_000) return false;
      retries[atCell % CELLS] = (retries[atCell % CELLS] ?? 0) + 1;
      retriesSum += 1;
      return true;
    },
  };
}
