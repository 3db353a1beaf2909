/** Half-open, UTC epoch milliseconds, and the moment up to which was counted. */
export type ForecastSpan = { readonly startMs: number; readonly endMs: number; readonly nowMs: number };

/** A forecast of less would be a guess. */
const SOONEST_MS = 24 * 3_600_000;

/**
 * What a month will have come to at its end if it goes on as it did: what was used, by the share of the month that has passed,
 * rounded down; the same as the console projects. Of a month that is over it is what was used; null on its first day.
 */
export function forecastMonth(used: bigint, { startMs, endMs, nowMs }: ForecastSpan): bigint | null {
  if (nowMs >= endMs) return used;
  const elapsed = nowMs - startMs;
  if (elapsed < SOONEST_MS) return null;
  return (used * BigInt(endMs - startMs)) / BigInt(Math.floor(elapsed));
}
