/**
 * Of the attempts that are left, the first that is not left out for a while; when all of them are, of those that something is known
 * about the one that is ready soonest, or else the first of all.
 */
export function pickNext(
  indexes: readonly number[],
  isReady: (index: number) => boolean,
  readyAt: (index: number) => number = () => -Infinity,
): number | undefined {
  return indexes.length < 2 ? indexes[0] : (indexes.find(isReady) ?? findSoonest(indexes, readyAt));
}

function findSoonest(indexes: readonly number[], readyAt: (index: number) => number): number | undefined {
  let [soonest, soonestAt] = [indexes[0], Infinity];
  for (const index of indexes) {
    const at = readyAt(index);
    if (at > -Infinity && at < soonestAt) [soonest, soonestAt] = [index, at];
  }
  return soonest;
}

/** The order in which attempts are made where each fails so that another may follow, and nothing is learned from it. */
export function orderTries(count: number, isReady: (index: number) => boolean): number[] {
  const left = Array.from({ length: count }, (_, index) => index);
  const order: number[] = [];
  for (let next = pickNext(left, isReady); next !== undefined; next = pickNext(left, isReady)) {
    order.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return order;
}
