import { periodCeiling, periodStart, type Resolution, type UsageQuery } from '@weir/usage';

/** Half-open, UTC epoch milliseconds. */
export type FactsRange = { readonly startMs: number; readonly endMs: number };

/** A period whose sums are valid, and which build of them. */
export type BuiltPeriod = { readonly startMs: number; readonly build: number };

/** Where each moment of a range is read from; none from two places. */
export type FactsPlan = {
  readonly rollups: Readonly<Record<Resolution, readonly BuiltPeriod[]>>;
  readonly events: readonly FactsRange[];
};

/** Builds of the periods in which something was used, by `periodKeyOf`; 0 where what is finer has to be read. */
export type KnownPeriods = ReadonlyMap<string, number>;

export function periodKeyOf(resolution: Resolution, startMs: number): string {
  return `${resolution} ${startMs}`;
}

type Draft = { readonly rollups: Record<Resolution, BuiltPeriod[]>; readonly events: FactsRange[] };

const FINER = { month: 'day', day: 'hour' } as const;

/**
 * Covers a range by the coarsest sums that are valid, not coarser than what is asked for; what is in no sums, and parts of hours at
 * its ends, by events. A period that is not known has nothing in it.
 */
export function planFacts({ startMs, endMs, resolution }: FactsRange & Pick<UsageQuery, 'resolution'>, known: KnownPeriods): FactsPlan {
  const draft: Draft = { rollups: { hour: [], day: [], month: [] }, events: [] };
  cover(draft, { startMs, endMs }, resolution, known);
  return draft;
}

function cover(draft: Draft, { startMs, endMs }: FactsRange, resolution: Resolution, known: KnownPeriods): void {
  for (let atMs = periodStart(resolution, startMs); atMs < endMs; atMs = periodCeiling(resolution, atMs + 1)) {
    const build = known.get(periodKeyOf(resolution, atMs));
    if (build === undefined) continue;
    const periodEndMs = periodCeiling(resolution, atMs + 1);
    const isWhole = startMs <= atMs && periodEndMs <= endMs;
    const part = { startMs: Math.max(startMs, atMs), endMs: Math.min(endMs, periodEndMs) };
    if (isWhole && build > 0) draft.rollups[resolution].push({ startMs: atMs, build });
    else if (resolution === 'hour') addRange(draft.events, part);
    else cover(draft, part, FINER[resolution], known);
  }
}

/** Neighbours become one. */
function addRange(ranges: FactsRange[], range: FactsRange): void {
  const last = ranges.at(-1);
  if (last?.endMs === range.startMs) ranges[ranges.length - 1] = { startMs: last.startMs, endMs: range.endMs };
  else ranges.push(range);
}
