/** What a month will have cost at its end if it goes on as it did: exact integers, rounded down. Null on its first hours. */
export function projectMonth(spent: bigint, at: Date): bigint | null {
  const start = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
  const end = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
  const elapsed = at.getTime() - start;
  if (elapsed < SOONEST_MS) return null;
  return (spent * BigInt(end - start)) / BigInt(elapsed);
}

/** A projection of less would be a guess. */
const SOONEST_MS = 24 * 3_600_000;
