import type { HoldStore, HoldTruth, PlannedLimit } from '@weir/limits';

type TakenStores = { readonly store: Pick<HoldStore, 'readTaken'>; readonly truth: Pick<HoldTruth, 'readBases'> };

/** What is taken of each limit, earlier steps of its window included. Rejects when counters are out of reach. */
export async function readTaken(
  organizationId: string,
  limits: readonly PlannedLimit[],
  { store, truth }: TakenStores,
): Promise<ReadonlyMap<PlannedLimit, bigint>> {
  const scopes = limits.flatMap(({ scope, past = [] }) => [scope, ...past]);
  const taken = new Map(scopes.length === 0 ? [] : await store.readTaken(organizationId, scopes));
  const unseeded = scopes.filter((scope) => !taken.has(scope));
  if (unseeded.length > 0) {
    for (const { scope, base } of await truth.readBases(organizationId, unseeded)) taken.set(scope, base);
  }
  const sumOf = (some: readonly string[]): bigint => some.reduce((sum, scope) => sum + (taken.get(scope) ?? 0n), 0n);
  return new Map(limits.map((limit) => [limit, sumOf([limit.scope, ...(limit.past ?? [])])]));
}
