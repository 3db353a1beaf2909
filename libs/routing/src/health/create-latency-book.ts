import type { MeasuredLatency } from '../resolve/order-members';

type LatencyBook = {
  note(pace: string, milliseconds: number): void;
  read(pace: string): MeasuredLatency;
  /** All of which something is known, at most so many. */
  list(max: number): { readonly pace: string; readonly latency: MeasuredLatency }[];
};

type LatencyBookOptions = {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** After this time a measurement counts half. */
  readonly halfLifeMs?: number;
};

type Sum = { weight: number; weightedMs: number; atMs: number };

/** Not the last hour but the last minutes: providers are slow by the time of day. */
const HALF_LIFE_MS = 600_000;
/** Beyond this, more measurements do not make a mean slower to move. */
const SAMPLES_MAX = 50;
/** Less than this is as good as nothing known. */
const SAMPLES_MIN = 0.25;
const PACES_MAX = 20_000;
const UNKNOWN: MeasuredLatency = { meanMs: 0, samples: 0 };

/** Mean times until the first byte, in which a measurement counts less the longer ago it was. */
export function createLatencyBook({ now, halfLifeMs = HALF_LIFE_MS }: LatencyBookOptions): LatencyBook {
  const sums = new Map<string, Sum>();

  const age = (sum: Sum): void => {
    const share = 2 ** (-(now() - sum.atMs) / halfLifeMs);
    sum.weight *= share;
    sum.weightedMs *= share;
    sum.atMs = now();
  };

  const read = (pace: string): MeasuredLatency => {
    const sum = sums.get(pace);
    if (sum === undefined) return UNKNOWN;
    age(sum);
    return sum.weight < SAMPLES_MIN ? UNKNOWN : { meanMs: sum.weightedMs / sum.weight, samples: sum.weight };
  };

  return {
    note: (pace, milliseconds) => {
      let sum = sums.get(pace);
      if (sum === undefined) {
        if (sums.size >= PACES_MAX) sums.clear();
        sum = { weight: 0, weightedMs: 0, atMs: now() };
        sums.set(pace, sum);
      }
      age(sum);
      const kept = Math.min(1, (SAMPLES_MAX - 1) / Math.max(sum.weight, 1));
      sum.weight = sum.weight * kept + 1;
      sum.weightedMs = sum.weightedMs * kept + milliseconds;
    },
    read,
    list: (max) => {
      const listed: { pace: string; latency: MeasuredLatency }[] = [];
      for (const pace of sums.keys()) {
        if (listed.length >= max) break;
        const latency = read(pace);
        if (latency !== UNKNOWN) listed.push({ pace, latency });
      }
      return listed;
    },
  };
}
