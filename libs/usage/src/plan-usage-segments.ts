import { periodCeiling, periodStart, type Resolution } from './period-key';

/** One stretch of time and the rollup that answers it. Half-open, on the rollup's own boundaries. */
export type UsageSegment = { readonly rollup: Resolution; readonly startMs: number; readonly endMs: number };

const FINER: Record<'day' | 'month', Resolution> = { day: 'hour', month: 'day' };

/**
 * Covers `[start, end)`, widened to whole hours, with the coarsest rollups that fit: whole periods of the asked
 * resolution from their own table, the edges from finer ones. No hour is covered twice.
 */
export function planUsageSegments(range: { readonly startMs: number; readonly endMs: number }, resolution: Resolution): UsageSegment[] {
  return cover(periodStart('hour', range.startMs), periodCeiling('hour', range.endMs), resolution);
}

function cover(startMs: number, endMs: number, rollup: Resolution): UsageSegment[] {
  if (startMs >= endMs) return [];
  if (rollup === 'hour') return [{ rollup, startMs, endMs }];
  const wholeStart = periodCeiling(rollup, startMs);
  const wholeEnd = periodStart(rollup, endMs);
  if (wholeStart >= wholeEnd) return cover(startMs, endMs, FINER[rollup]);
  return [
    ...cover(startMs, wholeStart, FINER[rollup]),
    { rollup, startMs: wholeStart, endMs: wholeEnd },
    ...cover(wholeEnd, endMs, FINER[rollup]),
  ];
}
