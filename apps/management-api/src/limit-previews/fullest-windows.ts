import { FULLEST_MAX } from '../records/limit-fill';

/** How full a window of a limit was at its fullest. */
export type WindowPeak<About> = About & {
  /** Of one window there is one peak: this is its name. */
  readonly key: string;
  readonly used: bigint;
  readonly startMs: number | null;
  readonly endMs: number | null;
};

/** Keeps the fullest windows and no others, however many there are. */
export function createFullestWindows<About>(): { add(peak: WindowPeak<About>): void; list(): readonly WindowPeak<About>[] } {
  let peaks: readonly WindowPeak<About>[] = [];
  return {
    add: (peak) => {
      const known = peaks.find(({ key }) => key === peak.key);
      const leastKept = peaks.at(-1);
      if (
        known !== undefined
          ? known.used >= peak.used
          : peaks.length === FULLEST_MAX && leastKept !== undefined && leastKept.used >= peak.used
      )
        return;
      peaks = [...peaks.filter((one) => one !== known), peak].sort(compare).slice(0, FULLEST_MAX);
    },
    list: () => peaks,
  };
}

type Ranked = Pick<WindowPeak<unknown>, 'key' | 'used'>;

function compare(one: Ranked, other: Ranked): number {
  if (one.used !== other.used) return one.used > other.used ? -1 : 1;
  return one.key < other.key ? -1 : 1;
}
