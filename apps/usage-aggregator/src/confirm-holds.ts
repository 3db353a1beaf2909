import type { SequencedUsageEvent, UsageEvent } from '@weir/contracts';
import type { HoldStore, HoldTruth } from '@weir/limits';
import type { AggregatorLog } from './consume-usage-events';

export type HoldParts = { readonly store: HoldStore; readonly truth: HoldTruth };

/** Tells the counters of limits what a committed batch has added up to. False while some of it could not be told. */
export type ConfirmHolds = (events: readonly SequencedUsageEvent[]) => Promise<boolean>;

/** Holds to confirm, by organization and scope. */
type Pending = Map<string, Map<string, Set<string>>>;

/**
 * Call it after the commit: what is read then includes the batch, so that the holds of its events are no longer needed.
 * What could not be told is told with the next batch; repeating harms nothing.
 */
export function createConfirmHolds({ store, truth }: HoldParts, log: Pick<AggregatorLog, 'warn'>): ConfirmHolds {
  const pending: Pending = new Map();
  return async (events) => {
    for (const { payload } of events) notePayload(pending, payload);
    for (const [organizationId, scopes] of [...pending]) {
      try {
        await confirm({ store, truth }, organizationId, scopes);
        pending.delete(organizationId);
      } catch (error) {
        log.warn({ error, organizationId, scopes: scopes.size }, 'holds could not be confirmed; they go on counting for now');
      }
    }
    return pending.size === 0;
  };
}

async function confirm(
  { store, truth }: HoldParts,
  organizationId: string,
  scopes: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  const bases = await truth.readBases(organizationId, [...scopes.keys()]);
  await store.confirm(
    organizationId,
    bases.map((base) => ({ ...base, holdIds: [...(scopes.get(base.scope) ?? [])] })),
  );
}

function notePayload(pending: Pending, payload: string): void {
  if (!payload.includes('"hold_id":"')) return;
  const event = parseEvent(payload);
  if (event === undefined || typeof event.hold_id !== 'string' || !Array.isArray(event.hold_scopes)) return;
  const scopes = pending.get(event.org_id) ?? new Map<string, Set<string>>();
  pending.set(event.org_id, scopes);
  for (const scope of event.hold_scopes) {
    const holdIds = scopes.get(scope) ?? new Set<string>();
    // An attempt that was followed by another one leaves the hold to it.
    if (event.logical) holdIds.add(event.hold_id);
    scopes.set(scope, holdIds);
  }
}

/** What cannot be read was not counted: its hold expires. */
function parseEvent(payload: string): UsageEvent | undefined {
  try {
    return JSON.parse(payload) as UsageEvent;
  } catch {
    return undefined;
  }
}
