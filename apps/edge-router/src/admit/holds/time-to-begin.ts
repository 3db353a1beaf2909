/** What is set aside must be begun while it cannot have expired yet, whatever clocks differ by. */
const BEGIN_SHARE = 2 / 3;

/** UTC epoch milliseconds by which a worker must begin what is set aside for `lifeMs` from `nowMs` on. */
export function timeToBegin(nowMs: number, lifeMs: number): number {
  return Math.floor(nowMs + lifeMs * BEGIN_SHARE);
}
