const WHOLE = new Intl.NumberFormat('en-US');
const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });
const PERCENT = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

export function formatCount(count: number): string {
  return WHOLE.format(count);
}

/** For axes and figures where the exact count is beside it. */
export function formatShortCount(count: number): string {
  return count < 10_000 ? WHOLE.format(count) : SHORT.format(count);
}

export function formatShare(share: number): string {
  return share > 0 && share < 0.001 ? '<0.1%' : PERCENT.format(share);
}

/** What part of a whole something is, to a tenth of a thousandth; 0 of nothing, and never 0 of what is there. */
export function findShare(part: bigint, whole: bigint): number {
  if (whole === 0n) return 0;
  const share = Number((part * 10_000n) / whole) / 10_000;
  return share === 0 && part > 0n ? 0.00001 : share;
}

/** By how much a figure changed against the one before: null where there was nothing before. */
export function findChange(now: bigint, before: bigint): number | null {
  return before === 0n ? null : Number(((now - before) * 10_000n) / before) / 10_000;
}

export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds < 1000) return `${WHOLE.format(Math.round(milliseconds))} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(2)} s`;
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`;
}
