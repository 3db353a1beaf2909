/** Lets the event loop do what else is waiting. */
export function yieldEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Work on large texts takes no longer than this of one turn of the event loop, that of all requests together. */
const TURN_MS = 5;
/** A step of work on a text from here on has a turn of its own. */
const HUGE_LENGTH = 2 * 1024 * 1024;

let isRunning = false;
let endsAt = 0;

/**
 * To be called before each step of work on a large text of this length. Undefined while the turn has time left, so that
 * most texts are read in one go and what they take in memory is free again soon; others are served before it resolves.
 */
export function takeTurn(length = 0): undefined | Promise<void> {
  if (isRunning && (length >= HUGE_LENGTH || performance.now() >= endsAt)) return waitForTurn();
  if (!isRunning) beginTurn();
  return undefined;
}

function beginTurn(): void {
  isRunning = true;
  endsAt = performance.now() + TURN_MS;
  setImmediate(endTurn);
}

function endTurn(): void {
  isRunning = false;
}

/** Those that wait go on in the order in which they came, as many in each turn as it has time for. */
async function waitForTurn(): Promise<void> {
  do await yieldEventLoop();
  while (isRunning && performance.now() >= endsAt);
  if (!isRunning) beginTurn();
}
