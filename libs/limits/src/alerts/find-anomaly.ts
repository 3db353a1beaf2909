const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How many spreads above the usual an hour has to be. */
const ANOMALY_SENSITIVITIES = { low: 10, medium: 6, high: 4 } as const;
export type AnomalySensitivity = keyof typeof ANOMALY_SENSITIVITIES;

/** So far back, the same hour of like days is compared with. */
const SEASON_DAYS = 28;
/** A key younger than this has no season yet: all of its hours are compared with, at most those of so many days. */
const YOUNG_DAYS = 7;
/** Of a key younger than this no one knows what is usual. */
const KNOWN_HOURS_MIN = 24;
/** The newest of the like hours: growth that has gone on for three of them is usual. */
const NEWEST = 5;
/** Makes the median distance from the median as wide as a standard deviation. */
const MAD_TO_DEVIATION = 1.4826;
/** A key that does the same every hour may still do a little more once: the spread is at least this part of the usual. */
const SPREAD_MIN = 0.15;

export type AnomalyQuestion = {
  /** Where the hour begins, in UTC epoch milliseconds; it may still be running. */
  readonly hourMs: number;
  /** What the hour has so far: pico-dollars, or requests. */
  readonly value: bigint;
  /** Since when the key exists. */
  readonly sinceMs: number;
  /** What earlier hours had, by where they begin; one that is not named had nothing. */
  readonly earlier: ReadonlyMap<number, bigint>;
  readonly sensitivity: AnomalySensitivity;
  /** Hours below this are never unusual. */
  readonly least: bigint;
};

export type AnomalyFinding = { readonly isUnusual: boolean; readonly usual: bigint; readonly threshold: bigint };

/** The hours that an hour is compared with, newest first: the same hour of like days (weekdays, weekends), or all hours of a young key. */
export function listComparedHours(hourMs: number, sinceMs: number): number[] {
  const first = Math.ceil(sinceMs / HOUR_MS) * HOUR_MS;
  if (hourMs - first < YOUNG_DAYS * DAY_MS) {
    const count = Math.max(0, (hourMs - first) / HOUR_MS);
    return Array.from({ length: count }, (_, index) => hourMs - (index + 1) * HOUR_MS);
  }
  const isAtWeekend = isWeekend(hourMs);
  return Array.from({ length: SEASON_DAYS }, (_, index) => hourMs - (index + 1) * DAY_MS).filter(
    (at) => at >= first && isWeekend(at) === isAtWeekend,
  );
}

/**
 * Whether an hour is far above what is usual. Median and median distance from it, because one wild hour in the past moves
 * neither. An hour that is still running is judged by what it has so far, so that it is noticed at once.
 */
export function findAnomaly({ hourMs, value, sinceMs, earlier, sensitivity, least }: AnomalyQuestion): AnomalyFinding {
  const hours = listComparedHours(hourMs, sinceMs);
  const isYoung = hourMs - sinceMs < YOUNG_DAYS * DAY_MS;
  const values = hours.map((at) => Number(earlier.get(at) ?? 0n));
  if (values.length === 0 || (isYoung && values.length < KNOWN_HOURS_MIN)) return { isUnusual: false, usual: 0n, threshold: least };
  const baselines = [describe(values), ...(isYoung ? [] : [describe(values.slice(0, NEWEST))])];
  const k = ANOMALY_SENSITIVITIES[sensitivity];
  const bounds = baselines.map(({ median, spread }) => median + k * spread);
  const usual = toWhole(Math.max(...baselines.map(({ median }) => median)));
  const bound = toWhole(Math.max(...bounds));
  const threshold = bound > least ? bound : least;
  return { isUnusual: value >= threshold && value > usual, usual, threshold };
}

function describe(values: readonly number[]): { median: number; spread: number } {
  const median = findMedian(values);
  const distance = findMedian(values.map((value) => Math.abs(value - median)));
  return { median, spread: Math.max(MAD_TO_DEVIATION * distance, SPREAD_MIN * median) };
}

function findMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2;
}

/** Thresholds are estimates: what a float of pico-dollars rounds away does not matter to them. */
function toWhole(value: number): bigint {
  return BigInt(Math.ceil(value));
}

function isWeekend(atMs: number): boolean {
  const day = new Date(atMs).getUTCDay();
  return day === 0 || day === 6;
}
