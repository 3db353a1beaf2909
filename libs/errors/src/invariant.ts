/** States what must hold if our own code is right. A failure ends the request with 500, never the process. */
export function invariant(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${why}`);
}
