/** The moments that a reset is reckoned from: ours, and the provider's own where its reply has a date. Epoch milliseconds. */
export type ReplyTimes = { readonly nowMs: number; readonly theirNowMs: number };

/** Reads when a limit is whole again, by our clock; null for what cannot be read. */
export type ReadReset = (text: string, times: ReplyTimes) => number | null;

const UNIT_MS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 0.001,
  µs: 0.001,
  ns: 1e-6,
};
/** From the longest name, lest "ms" be read as minutes. */
const PARTS = /(\d+(?:\.\d+)?)(ms|us|µs|ns|d|h|m|s)/g;
/** A limit that is whole later than this is not waited for anyway. */
const RESET_MS_MAX = 31 * 86_400_000;
/** A number of seconds above this is a moment, by Unix time. */
const SECONDS_OF_A_MOMENT = 1e9;

/** "6m0s", "20ms", "10.332999999s", "1d2h"; a number alone is seconds. */
export function readDuration(text: string, times: ReplyTimes): number | null {
  if (!/[a-zµ]/.test(text)) return readSeconds(text, times);
  let [sum, length] = [0, 0];
  for (const [part, amount, unit = ''] of text.matchAll(PARTS)) {
    sum += Number(amount) * (UNIT_MS[unit] ?? 0);
    length += part.length;
  }
  return length === text.length ? after(sum, times) : null;
}

/** Seconds from now, or a moment in seconds of Unix time. */
export function readSeconds(text: string, times: ReplyTimes): number | null {
  const seconds = text === '' ? NaN : Number(text);
  if (!Number.isFinite(seconds) || seconds < 0) return null;
  return after(seconds >= SECONDS_OF_A_MOMENT ? seconds * 1000 - times.theirNowMs : seconds * 1000, times);
}

/** RFC 3339. Reckoned from the provider's own clock, where it says what that is. */
export function readMoment(text: string, times: ReplyTimes): number | null {
  const moment = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(moment) ? null : after(moment - times.theirNowMs, times);
}

function after(milliseconds: number, { nowMs }: ReplyTimes): number | null {
  return milliseconds > RESET_MS_MAX ? null : nowMs + Math.max(0, milliseconds);
}
