/** Of the attempts that are left, the first that is not left out for a while; when all of them are, the first of all. */
export function pickNext(indexes: readonly number[], isReady: (index: number) => boolean): number | undefined {
  return indexes.length < 2 ? indexes[0] : (indexes.find(isReady) ?? indexes[0]);
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
