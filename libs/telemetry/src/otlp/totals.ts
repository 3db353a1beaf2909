/** Whether a number says what there was since the start of the process, or since the last message that was taken. */
export type Temporality = 'cumulative' | 'delta';

type Taken = { readonly values: readonly number[]; readonly startMs: number };

/** What numbers that only grow are reported as. */
export type Totals = {
  readonly temporality: Temporality;
  readonly startedMs: number;
  /** The numbers of a series as they are reported, and since when. */
  take(key: string, values: readonly number[]): Taken;
  /** The message was taken: the next one goes on from here. Until this is called, what was reported is reported again. */
  commit(): void;
};

export function createTotals(temporality: Temporality, now: () => number): Totals {
  const startedMs = now();
  const reported = new Map<string, readonly number[]>();
  let pending = new Map<string, readonly number[]>();
  let sinceMs = startedMs;
  let atMs = startedMs;
  return {
    temporality,
    startedMs,
    take: (key, values) => {
      if (temporality === 'cumulative') return { values, startMs: startedMs };
      pending.set(key, values);
      atMs = now();
      const before = reported.get(key);
      return { values: before === undefined ? values : values.map((value, place) => value - (before[place] ?? 0)), startMs: sinceMs };
    },
    commit: () => {
      for (const [key, values] of pending) reported.set(key, values);
      pending = new Map();
      sinceMs = atMs;
    },
  };
}
