import type { UsageEvent } from '@weir/contracts';
import { spendOfEvent, spentInScopes, type HoldStore } from '@weir/limits';

/** So many organizations in a row could not be reported, and none could: the store is away. */
const AWAY_AFTER = 3;

/**
 * Reports to a store that may know nothing of it what ended requests have spent. Takes the events of their attempts, in the
 * order in which they ended: the last one of a request is the one that counts it. What the store has of one organization may be away
 * while that of others is there: those are reported all the same. Rejects when something could not be reported.
 */
export async function registerHeldEnds(store: Pick<HoldStore, 'register'>, events: AsyncIterable<UsageEvent>): Promise<void> {
  const earlier = new Map<string, bigint[]>();
  const failed = new Map<string, unknown>();
  let isAnyReported = false;
  for await (const event of events) {
    if (!isAnyReported && failed.size >= AWAY_AFTER) break;
    const { hold_scopes: scopes, hold_id: holdId, org_id: organizationId } = event;
    if (holdId === null || failed.has(organizationId)) continue;
    const key = `${organizationId} ${holdId}`;
    const before = earlier.get(key);
    const spent = spentInScopes(scopes, spendOfEvent(event), event.hold_uncounted).map((amount, at) => amount + (before?.[at] ?? 0n));
    if (event.logical) {
      earlier.delete(key);
      try {
        await store.register({ organizationId, holdId, scopes, spent });
        isAnyReported = true;
      } catch (error) {
        failed.set(organizationId, error);
      }
    } else if (spent.some((amount) => amount > 0n)) earlier.set(key, spent);
  }
  for (const cause of failed.values()) throw new Error(`what ${failed.size} organizations spent could not be reported`, { cause });
}
