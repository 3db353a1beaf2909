type LineBudget = {
  /** Whether one more line may be written now: how many were kept back since the last one, or null when it may not. */
  take(): number | null;
};

/** Lets so many lines a second through; a log that grows with every refusal would be one more thing to do when there is too much. */
export function createLineBudget(perSecond: number, now: () => number = () => performance.now()): LineBudget {
  let secondBeganMs = -Infinity;
  let written = 0;
  let keptBack = 0;
  return {
    take: () => {
      const nowMs = now();
      if (nowMs - secondBeganMs >= 1000) {
        secondBeganMs = nowMs;
        written = 0;
      }
      if (written >= perSecond) {
        keptBack += 1;
        return null;
      }
      written += 1;
      const before = keptBack;
      keptBack = 0;
      return before;
    },
  };
}
