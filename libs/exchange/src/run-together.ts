type Together<Result> = {
  readonly count: number;
  /** How many may be under way together. */
  readonly atOnce: number;
  readonly work: (index: number) => Promise<Result>;
  /** Called with the first failure, so that what is under way can be cut short. */
  readonly stop: (error: unknown) => void;
};

/** Runs `work` `count` times; returns the results in order. The first failure stops the rest and is waited out. */
export async function runTogether<Result>({ count, atOnce, work, stop }: Together<Result>): Promise<Result[]> {
  const results = new Array<Result>(count);
  let next = 0;
  let isStopped = false;
  const run = async (): Promise<void> => {
    for (let index = next++; index < count && !isStopped; index = next++) results[index] = await work(index);
  };
  const runners = Array.from({ length: Math.min(atOnce, count) }, run);
  try {
    await Promise.all(runners);
  } catch (error) {
    isStopped = true;
    stop(error);
    await Promise.allSettled(runners);
    throw error;
  }
  return results;
}
