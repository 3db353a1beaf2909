import { DAY_MS, HOUR_MS, periodCeiling, periodStart, type UsageSegment } from '@weir/usage';
import { CUBES_OF_HOURS, type FoundCubes } from './cubes';

/** A stretch of a range, and where it is read from: its rollup, or a cube of its hours or days. */
export type UsageSource = UsageSegment & { readonly cubeId: number | null };

/** The days of which a query could read cubes, were they exact. */
export type DaysRange = { readonly startMs: number; readonly endMs: number };

/** What of a day's cubes says the same as its hours do. */
export type ExactDay = {
  readonly startMs: number;
  /** The newest cube of which all of the day is exact; 0 when none is. */
  readonly cubes: number;
  /** The cubes of hours are exact for so many hours from the start of the day. */
  readonly hours: number;
};

/** The days that segments touch which a cube could serve, in whole or in part; undefined when there are none. */
export function findCubeDays(segments: readonly UsageSegment[], cubes: FoundCubes): DaysRange | undefined {
  const wanted = segments.filter(({ rollup }) => rollup !== 'month' && cubes[rollup] !== null);
  const [first, last] = [wanted[0], wanted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { startMs: periodStart('day', first.startMs), endMs: periodCeiling('day', last.endMs) };
}

/** Takes what is exact out of segments and reads it from cubes; neighbours become one stretch. No hour is read twice. */
export function planSources(segments: readonly UsageSegment[], cubes: FoundCubes, exactDays: readonly ExactDay[]): UsageSource[] {
  return segments.flatMap((segment) => {
    const cubeId = segment.rollup === 'month' ? null : cubes[segment.rollup];
    return cubeId === null ? { ...segment, cubeId } : splitSegment(segment, cubeId, exactDays);
  });
}

const NEWEST_OF_HOURS = Math.max(...CUBES_OF_HOURS.map(({ id }) => id));

/** The end of what a cube says of a day from its start on. */
function exactUntil({ startMs, cubes, hours }: ExactDay, rollup: UsageSegment['rollup'], cubeId: number): number {
  if (cubeId <= cubes) return startMs + DAY_MS;
  return rollup === 'hour' && cubeId <= NEWEST_OF_HOURS ? startMs + hours * HOUR_MS : startMs;
}

function splitSegment({ rollup, startMs, endMs }: UsageSegment, cubeId: number, exactDays: readonly ExactDay[]): UsageSource[] {
  const sources: UsageSource[] = [];
  const add = (fromMs: number, toMs: number, from: number | null): void => {
    const last = sources.at(-1);
    if (fromMs >= toMs) return;
    if (last !== undefined && last.cubeId === from) sources[sources.length - 1] = { ...last, endMs: toMs };
    else sources.push({ rollup, startMs: fromMs, endMs: toMs, cubeId: from });
  };
  let atMs = startMs;
  for (const day of exactDays) {
    const [fromMs, toMs] = [Math.max(day.startMs, atMs), Math.min(exactUntil(day, rollup, cubeId), endMs)];
    if (fromMs >= toMs) continue;
    add(atMs, fromMs, null);
    add(fromMs, toMs, cubeId);
    atMs = toMs;
  }
  add(atMs, endMs, null);
  return sources;
}
