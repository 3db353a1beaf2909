const LOOK_EVERY_MS = 500;

/**
 * Calls `stop` once when the process that started this one is gone. `npm start` runs the gateway in a shell that does not
 * pass signals on: a user who stops npm means the gateway as well.
 */
export function stopWithParent(stop: () => void, readParent: () => number = () => process.ppid): () => void {
  const parent = readParent();
  const timer = setInterval(() => {
    if (readParent() === parent) return;
    clearInterval(timer);
    stop();
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
