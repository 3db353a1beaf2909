import type { UsageEvent } from '@weir/contracts';
import { BALANCE_SCOPE, type HoldStore } from '@weir/limits';

/** Reports to a store that may know nothing of it what ended requests have spent. */
export async function registerHeldEnds(store: Pick<HoldStore, 'register'>, events: AsyncIterable<UsageEvent>): Promise<void> {
  for await (const event of events) {
    await store.register({
      organizationId: event.org_id,
      holdId: event.hold_id ?? event.request_id,
      scopes: event.hold_scopes,
      spentPico: spentIn(event.hold_scopes, { costPico: BigInt(event.cost_p), billedPico: BigInt(event.billed_p) }),
    });
  }
}

/** A month counts what usage is worth; the balance what is paid for it. */
export function spentIn(scopes: readonly string[], { costPico, billedPico }: { costPico: bigint; billedPico: bigint }): bigint[] {
  return scopes.map((scope) => (scope === BALANCE_SCOPE ? billedPico : costPico));
}
