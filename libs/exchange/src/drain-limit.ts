/** A place among the replies that are read to their end although no caller waits for them. */
type DrainPlace = {
  /** Counts bytes that were read; returns false when all drains together have read too many. */
  count(bytes: number): boolean;
  leave(): void;
};

/** How much of a process may go into replies that are read only for their usage. */
export type DrainLimit = {
  /** Returns undefined when every place is taken. */
  enter(): DrainPlace | undefined;
};

const DRAINS_MAX = 200;
const BYTES_MAX = 64 * 1024 * 1024;

/** One for a whole process: at most 200 drains at a time, which together have read at most 64 MiB. */
export function createDrainLimit({ drainsMax = DRAINS_MAX, bytesMax = BYTES_MAX } = {}): DrainLimit {
  let drains = 0;
  let bytes = 0;
  return {
    enter: () => {
      if (drains >= drainsMax || bytes >= bytesMax) return undefined;
      drains += 1;
      let own = 0;
      let isInside = true;
      return {
        count: (more) => {
          if (!isInside) return true;
          own += more;
          bytes += more;
          return bytes <= bytesMax;
        },
        leave: () => {
          if (!isInside) return;
          isInside = false;
          drains -= 1;
          bytes -= own;
        },
      };
    },
  };
}
