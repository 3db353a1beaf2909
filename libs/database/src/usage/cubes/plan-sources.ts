import { DAY_MS, periodCeiling, periodStart, type UsageSegment } from '@weir/usage';

/** A stretch of a range, and where it is read from: its rollup, or a cube of hours. */
export type UsageSource = UsageSegment & { readonly cubeId: number | null };

/** The days that segments of hours touch: those a cube could answer, in whole or in part. */
export function listTouchedDays(segments: readonly UsageSegment[]): { readonly startMs: number; readonly endMs: number } | undefined {
  const hours = segments.filter(({ rollup }) => rollup === 'hour');
  const [first, last] = [hours[0], hours.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { startMs: periodStart('day', first.startMs), endMs: periodCeiling('day', last.endMs) };
}

/** Takes what is of the given days out of segments of hours and reads it from the cube; neighbours become one stretch. No hour is read twice. */
export function planSources(segments: readonly UsageSegment[], cubeId: number, exactDays: readonly number[]): UsageSource[] {
  return segments.flatMap((segment) => (segment.rollup === 'hour' ? splitHours(segment, cubeId, exactDays) : { ...segment, cubeId: null }));
}

function splitHours({ startMs, endMs }: UsageSegment, cubeId: number, exactDays: readonly number[]): UsageSource[] {
  const sources: UsageSource[] = [];
  const add = (fromMs: number, toMs: number, from: number | null): void => {
    const last = sources.at(-1);
    if (fromMs >= toMs) return;
    if (last !== undefined && last.cubeId === from) sources[sources.length - 1] = { ...last, endMs: toMs };
    else sources.push({ rollup: 'hour', startMs: fromMs, endMs: toMs, cubeId: from });
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
