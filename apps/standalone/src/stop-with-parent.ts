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

/** How npm starts a gateway in a shell that passes no signal on: `npm start` and `npx`. */
const IN_A_SHELL = new Set(['start', 'npx']);

/** Begins the stop when npm, which started the gateway, is gone. */
export function stopWithNpm(env: { readonly npm_lifecycle_event?: string | undefined }, askToStop: (reason: string) => void): void {
  if (env.npm_lifecycle_event !== undefined && IN_A_SHELL.has(env.npm_lifecycle_event))
    stopWithParent(() => askToStop('the process that started the gateway has ended'));
}
