type PlannedReply = { readonly frames: number; readonly streamMs: number; readonly wholeMs: number };

/** Steps that pass through a range evenly and never in the same order as requests come. */
const FRAMES_STEP = 0.618;
const MS_STEP = 0.755;

/** How a model replies to the n-th request: 100 to 300 frames over one to three seconds, or whole after half a second to one. */
export function planReply(n: number): PlannedReply {
  const [first, second] = [(n * FRAMES_STEP) % 1, (n * MS_STEP) % 1];
  return { frames: Math.round(100 + 200 * first), streamMs: 1000 + 2000 * second, wholeMs: 500 + 500 * second };
}
