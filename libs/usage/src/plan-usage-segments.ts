import { periodCeiling, periodStart, type Resolution } from './period-key';

/** One stretch of time and the rollup that serves it. Half-open, on the rollup's own boundaries. */
export type UsageSegment = { readonly rollup: Resolution; readonly startMs: number; readonly endMs: number };

const FINER: Record<'day' | 'month', Resolution> = { day: 'hour', month: 'day' };

/** Part of one hour, half-open: only events say what was used in it. */
export type UsageEdge = { readonly startMs: number; readonly endMs: number };

type Range = { readonly startMs: number; readonly endMs: number };

/**
 * Covers the whole hours of `[start, end)` with the coarsest rollups that fit: whole periods of the asked resolution from
 * their own table, what is before and after from finer ones. No hour is covered twice; see `planUsageEdges` for the rest.
 */
export function planUsageSegments({ startMs, endMs }: Range, resolution: Resolution): UsageSegment[] {
  return cover(periodCeiling('hour', startMs), periodStart('hour', endMs), resolution);
}

/** What of `[start, end)` is no whole hour: at most a piece at its start and one at its end. */
export function planUsageEdges({ startMs, endMs }: Range): UsageEdge[] {
  const wholeStart = periodCeiling('hour', startMs);
  const wholeEnd = periodStart('hour', endMs);
  if (wholeStart > wholeEnd) return [{ startMs, endMs }];
  const edges = [
    { startMs, endMs: wholeStart },
    { startMs: wholeEnd, endMs },
  ];
  return edges.filter((edge) => edge.startMs < edge.endMs);
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
