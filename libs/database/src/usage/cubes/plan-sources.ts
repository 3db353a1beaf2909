import { DAY_MS, periodCeiling, periodStart, type UsageSegment } from '@weir/usage';
import type { FoundCubes } from './cubes';

/** A stretch of a range, and where it is read from: its rollup, or a cube of its hours or days. */
export type UsageSource = UsageSegment & { readonly cubeId: number | null };

/** What a question could read of cubes, were they exact: the days, and the newest of the cubes. */
export type CubesWanted = { readonly startMs: number; readonly endMs: number; readonly cubeId: number };

/** The days that segments touch which a cube could answer, in whole or in part; undefined when there are none. */
export function findCubesWanted(segments: readonly UsageSegment[], cubes: FoundCubes): CubesWanted | undefined {
  const wanted = segments.flatMap(({ rollup, startMs, endMs }) => {
    const cubeId = rollup === 'month' ? null : cubes[rollup];
    return cubeId === null ? [] : { startMs, endMs, cubeId };
  });
  const [first, last] = [wanted[0], wanted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return {
    startMs: periodStart('day', first.startMs),
    endMs: periodCeiling('day', last.endMs),
    cubeId: Math.max(...wanted.map(({ cubeId }) => cubeId)),
  };
}

/** Takes the exact days out of segments and reads them from cubes; neighbours become one stretch. No hour is read twice. */
export function planSources(segments: readonly UsageSegment[], cubes: FoundCubes, exactDays: readonly number[]): UsageSource[] {
  return segments.flatMap((segment) => {
    const cubeId = segment.rollup === 'month' ? null : cubes[segment.rollup];
    return cubeId === null ? { ...segment, cubeId } : splitSegment(segment, cubeId, exactDays);
  });
}

function splitSegment({ rollup, startMs, endMs }: UsageSegment, cubeId: number, exactDays: readonly number[]): UsageSource[] {
  const sources: UsageSource[] = [];
  const add = (fromMs: number, toMs: number, from: number | null): void => {
    const last = sources.at(-1);
    if (fromMs >= toMs) return;
    if (last !== undefined && last.cubeId === from) sources[sources.length - 1] = { ...last, endMs: toMs };
    else sources.push({ rollup, startMs: fromMs, endMs: toMs, cubeId: from });
  };
  let atMs = startMs;
  for (const dayMs of exactDays) {
    const [fromMs, toMs] = [Math.max(dayMs, atMs), Math.min(dayMs + DAY_MS, endMs)];
    if (fromMs >= toMs) continue;
    add(atMs, fromMs, null);
    add(fromMs, toMs, cubeId);
    atMs = toMs;
  }
  add(atMs, endMs, null);
  return sources;
}
