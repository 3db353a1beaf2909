/** Requests of one stretch of a range, whatever is filtered by, and those that the filters leave over. Half-open. */
export type Stretch = { readonly startMs: number; readonly endMs: number; readonly all: number; readonly asked: number };

/** What is read of a stretch of time: all events, or the first so many. */
export type Slice = { readonly startMs: number; readonly endMs: number; readonly quota: number | null };

export type SampleLimits = {
  /** So many requests are looked at one by one; of more, a sample. */
  readonly exactMax: number;
  /** About so many requests are in a sample. */
  readonly sampleMax: number;
  readonly slicesMax: number;
};

/**
 * So many events are read and parsed in about two seconds, on a busy machine. A sample is as large as what is read whole at most: it costs no
 * more, and ranges that are just too long are not worse off by much.
 */
export const LIMITS: SampleLimits = { exactMax: 100_000, sampleMax: 50_000, slicesMax: 1_000 };

/**
 * What is read of the events of a range. Stretches without any request that is asked for are left out. Where the others are
 * too many to be read, each gives the same part of its requests, spread evenly over it: from the beginning of each slice.
 */
export function planSlices(stretches: readonly Stretch[], { exactMax, sampleMax, slicesMax }: SampleLimits = LIMITS): Slice[] {
  const used = stretches.filter(({ asked }) => asked > 0);
  const requests = used.reduce((sum, { all }) => sum + all, 0);
  if (requests <= exactMax) return joinNeighbours(used);
  const slicesOfEach = Math.max(1, Math.floor(slicesMax / used.length));
  return used.flatMap((stretch) => cutStretch(stretch, (sampleMax / requests) * stretch.all, slicesOfEach));
}

function joinNeighbours(stretches: readonly Stretch[]): Slice[] {
  const slices: Slice[] = [];
  for (const { startMs, endMs } of stretches) {
    const last = slices.at(-1);
    if (last?.endMs === startMs) slices[slices.length - 1] = { ...last, endMs };
    else slices.push({ startMs, endMs, quota: null });
  }
  return slices;
}

function cutStretch({ startMs, endMs }: Stretch, wanted: number, slicesMax: number): Slice[] {
  const count = Math.max(1, Math.min(slicesMax, Math.round(wanted)));
  const quota = Math.max(1, Math.round(wanted / count));
  const at = (index: number): number => Math.round(startMs + ((endMs - startMs) * index) / count);
  return Array.from({ length: count }, (_, index) => ({ startMs: at(index), endMs: at(index + 1), quota }));
}
