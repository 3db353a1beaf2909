import type { Attempt } from '@weir/contracts';

/** Whether there is a choice among the gateway's accounts at some provider. */
export function hasAccounts(attempts: readonly Attempt[]): boolean {
  return attempts.length > 1 && attempts.some(({ accountId }) => accountId !== undefined);
}

/**
 * Attempts at several accounts of one provider for one model, the one with more left of its limit first. Those with about as much
 * left stay in the order of the plan, which goes by their weights; everything else stays where it is.
 */
export function steerAccounts(
  indexes: readonly number[],
  attempts: readonly Attempt[],
  tenthsLeft: (attempt: Attempt) => number,
): readonly number[] {
  const groups = new Map<string, number[]>();
  indexes.forEach((index, at) => {
    const attempt = attempts[index];
    if (attempt?.accountId === undefined) return;
    const name = `${attempt.providerId} ${attempt.modelId}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [at]);
    else group.push(at);
  });
  const ordered = [...indexes];
  for (const places of groups.values()) {
    if (places.length < 2) continue;
    const ranked = places.map((at) => ({ index: indexes[at] as number, left: tenthsLeft(attempts[indexes[at] as number] as Attempt) }));
    ranked.sort((one, other) => other.left - one.left);
    places.forEach((at, rank) => (ordered[at] = ranked[rank]?.index as number));
  }
  return ordered;
}
