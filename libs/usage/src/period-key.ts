export type Resolution = 'hour' | 'day' | 'month';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** The UTC period an instant falls into, as epoch milliseconds of its start. No time zone of any process matters here. */
export function periodStart(resolution: Resolution, atMs: number): number {
  if (resolution === 'hour') return Math.floor(atMs / HOUR_MS) * HOUR_MS;
  if (resolution === 'day') return Math.floor(atMs / DAY_MS) * DAY_MS;
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** The first period start at or after an instant. */
export function periodCeiling(resolution: Resolution, atMs: number): number {
  const start = periodStart(resolution, atMs);
  if (start === atMs) return start;
  if (resolution === 'hour') return start + HOUR_MS;
  if (resolution === 'day') return start + DAY_MS;
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** An instant as RFC 3339 UTC, with milliseconds only where there are some. */
export function instantKey(atMs: number): string {
  return new Date(atMs).toISOString().replace('.000Z', 'Z');
}

/** How a period is named in responses: RFC 3339 UTC without fraction. */
export function periodKey(startMs: number): string {
  return `${new Date(startMs).toISOString().slice(0, 19)}Z`;
}
