import { GatewayError } from '@weir/errors';
import type { HoldStore, HoldTruth, PlannedLimit } from '@weir/limits';

export type StateStores = {
  readonly store: Pick<HoldStore, 'readTaken' | 'readScope'>;
  readonly truth: Pick<HoldTruth, 'readBases'>;
  /** Null where the store is in this process. */
  readonly circuit: (<Result>(call: () => Promise<Result>, about?: string) => Promise<Result>) | null;
};

/** How full a limit is. What is held for requests that run is part of what is used. */
export type LimitState = { readonly used: bigint; readonly held: bigint };

/** How full limits are now, in their order. Throws `dependency_down` when the counters cannot be reached. */
export async function readLimitStates(
  organizationId: string,
  limits: readonly PlannedLimit[],
  stores: StateStores,
): Promise<readonly LimitState[]> {
  const { circuit } = stores;
  const read = (): Promise<readonly LimitState[]> => readStates(organizationId, limits, stores);
  return (circuit === null ? read() : circuit(read, organizationId)).catch((cause: unknown) => {
    throw new GatewayError('dependency_down', 'Limits cannot be read at the moment. Try again shortly.', { cause, retryAfterSeconds: 5 });
  });
}

async function readStates(
  organizationId: string,
  limits: readonly PlannedLimit[],
  { store, truth }: StateStores,
): Promise<readonly LimitState[]> {
  const steps = limits.flatMap(({ past = [] }) => past);
  const before = new Map(steps.length === 0 ? [] : await store.readTaken(organizationId, steps));
  const states = await Promise.all(limits.map(({ scope }) => store.readScope(organizationId, scope)));
  const unknown = limits.flatMap(({ scope, past = [] }, place) => [
    ...(states[place]?.isSeeded === true ? [] : [scope]),
    ...past.filter((step) => !before.has(step)),
  ]);
  const bases = unknown.length === 0 ? [] : await truth.readBases(organizationId, unknown);
  const committed = new Map(bases.map(({ scope, base }) => [scope, base]));
  return limits.map(({ scope, past = [] }, place) => {
    const state = states[place];
    const held = state?.openSum ?? 0n;
    const base = state?.isSeeded === true ? state.base : (committed.get(scope) ?? 0n);
    const earlier = past.reduce((sum, step) => sum + (before.get(step) ?? committed.get(step) ?? 0n), 0n);
    return { used: base + (state?.settledSum ?? 0n) + held + earlier, held };
  });
}
