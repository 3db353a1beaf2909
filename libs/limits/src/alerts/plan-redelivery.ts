export const DELIVERY_ATTEMPTS_MAX = 10;
const FIRST_PAUSE_MS = 5_000;
const PAUSE_MS_MAX = 3_600_000;

/**
 * How long to wait after so many failed attempts: between half and all of 5 s, 20 s, 80 s, … at most an hour. Undefined
 * when it is time to give up, about five hours after the first.
 */
export function planRedelivery(attempts: number, random: () => number): number | undefined {
  if (attempts >= DELIVERY_ATTEMPTS_MAX) return undefined;
  const pause = Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 4 ** (attempts - 1));
  return Math.ceil(pause * (0.5 + random() / 2));
}
