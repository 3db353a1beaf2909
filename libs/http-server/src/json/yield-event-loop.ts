/** Lets the event loop do what else is waiting. */
export function yieldEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Work that may take long takes no longer than this at a time. */
const SLICE_MS = 8;

/** Yields the event loop when a slice of time is used up; undefined before that. */
type Turns = () => Promise<void> | undefined;

export function openTurns(): Turns {
  let endsAt = performance.now() + SLICE_MS;
  return () => {
    if (performance.now() < endsAt) return undefined;
    return yieldEventLoop().then(() => void (endsAt = performance.now() + SLICE_MS));
  };
}
