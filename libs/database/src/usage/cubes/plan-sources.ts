import { DAY_MS, periodCeiling, periodStart, type UsageSegment } from '@weir/usage';

/** A stretch of a range, and where it is read from: its rollup, or a cube of hours. */
export type UsageSource = UsageSegment & { readonly cubeId: number | null };

/** Whole days among the segments of hours: those a cube could answer. */
export function listWholeDays(segments: readonly UsageSegment[]): { readonly startMs: number; readonly endMs: number } | undefined {
  const whole = segments
    .filter(({ rollup }) => rollup === 'hour')
    .map(({ startMs, endMs }) => ({ startMs: periodCeiling('day', startMs), endMs: periodStart('day', endMs) }))
    .filter(({ startMs, endMs }) => startMs < endMs);
  const [first, last] = [whole[0], whole.at(-1)];
  return first === undefined || last === undefined ? undefined : { startMs: first.startMs, endMs: last.endMs };
}

/** Takes the given days out of segments of hours and reads them from the cube; neighbours become one stretch. No hour is read twice. */
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
    if (dayMs < atMs || dayMs + DAY_MS > endMs) continue;
    add(atMs, dayMs, null);
    add(dayMs, dayMs + DAY_MS, cubeId);
    atMs = dayMs + DAY_MS;
  }
  add(atMs, endMs, null);
  return sources;
}
