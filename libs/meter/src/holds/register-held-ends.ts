import type { UsageEvent } from '@weir/contracts';
import { spendOfEvent, spentInScopes, type HoldStore } from '@weir/limits';

/**
 * Reports to a store that may know nothing of it what ended requests have spent. Takes the events of their attempts, in the
 * order in which they ended: the last one of a request is the one that counts it.
 */
export async function registerHeldEnds(store: Pick<HoldStore, 'register'>, events: AsyncIterable<UsageEvent>): Promise<void> {
  const earlier = new Map<string, bigint[]>();
  for await (const event of events) {
    const { hold_scopes: scopes, hold_id: holdId } = event;
    if (holdId === null) continue;
    const key = `${event.org_id} ${holdId}`;
    const before = earlier.get(key);
    const spent = spentInScopes(scopes, spendOfEvent(event), event.hold_uncounted).map((amount, at) => amount + (before?.[at] ?? 0n));
    if (event.logical) {
      earlier.delete(key);
      await store.register({ organizationId: event.org_id, holdId, scopes, spent });
    } else if (spent.some((amount) => amount > 0n)) earlier.set(key, spent);
  }
}
