import { ALLOWANCE_MEASURES, type Allowance, type AllowanceMeasure, type AllowanceMeasureName } from '@weir/contracts';

/** An allowance as it was reported at a moment, and how many requests were sent since that it does not count. */
export type ReportedAllowance = { readonly allowance: Allowance; readonly atMs: number };

/** Of tokens, how many a request takes is not known before: with less than a hundredth of the limit nothing is sent. */
const TOKENS_SHARE = 0.01;

/** What is left of a measure at a moment, as far as its report says how it comes back. Epoch milliseconds. */
function leftOf({ limit, remaining, resetAtMs, refill }: AllowanceMeasure, reportedAtMs: number, nowMs: number): number {
  if (resetAtMs === null) return remaining;
  if (nowMs >= resetAtMs) return limit ?? Infinity;
  if (refill === 'window' || limit === null || limit <= remaining) return remaining;
  return remaining + ((limit - remaining) * (nowMs - reportedAtMs)) / (resetAtMs - reportedAtMs);
}

/** From when on as much is left as is needed; the past where it is not known. */
function readyAt({ limit, remaining, resetAtMs, refill }: AllowanceMeasure, reportedAtMs: number, needed: number): number {
  if (remaining >= needed || resetAtMs === null) return -Infinity;
  if (refill === 'window' || limit === null || needed >= limit) return resetAtMs;
  return reportedAtMs + ((resetAtMs - reportedAtMs) * (needed - remaining)) / (limit - remaining);
}

/** From when on one more request may be sent, after `sentSince` that the report does not count. */
export function allowanceReadyAt({ allowance, atMs }: ReportedAllowance, sentSince: number): number {
  let latest = -Infinity;
  for (const name of ALLOWANCE_MEASURES) {
    const measure = allowance[name];
    if (measure !== undefined) latest = Math.max(latest, readyAt(measure, atMs, neededOf(name, measure, sentSince)));
  }
  return latest;
}

function neededOf(name: AllowanceMeasureName, { limit }: AllowanceMeasure, sentSince: number): number {
  if (name === 'requests') return 1 + sentSince;
  return limit === null ? 1 : Math.max(1, limit * TOKENS_SHARE);
}

/** The smallest part of a limit that is left, from 0 to 1; 1 where nothing is known. */
export function shareLeft({ allowance, atMs }: ReportedAllowance, nowMs: number): number {
  let least = 1;
  for (const name of ALLOWANCE_MEASURES) {
    const measure = allowance[name];
    if (measure === undefined || measure.limit === null) continue;
    least = Math.min(least, leftOf(measure, atMs, nowMs) / measure.limit);
  }
  return Math.max(0, least);
}

/** Whether it says anything of how much may be sent. */
export function saysCapacity({ requests }: Allowance): boolean {
  return requests !== undefined && requests.remaining > 0;
}
