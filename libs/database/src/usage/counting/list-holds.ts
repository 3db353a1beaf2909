import type { UsageEvent } from '@weir/contracts';
import type { HeldUsage } from '@weir/usage';
import type { JournalledEvent } from './decode-batch';

/**
 * What of a batch was paid out of holds. An event that is not counted gives its hold back all the same, where it names one.
 * `watermarks`: by writer the sequence up to which all is counted. A hold covers all attempts of its request: where something is
 * missing before the last one, as when the bus has lost it, the hold stays until that has come again.
 */
export function listHolds(events: readonly JournalledEvent[], watermarks: ReadonlyMap<string, bigint>): HeldUsage[] {
  const holds: HeldUsage[] = [];
  for (const { decoded, payload, writerId, sequence, isPlaced } of events) {
    const hold = decoded.kind === 'event' ? describeHold(decoded.event) : readHold(payload);
    if (hold === undefined) continue;
    const isWhole = !isPlaced || sequence <= (watermarks.get(writerId) ?? -1n);
    holds.push(isWhole ? hold : { ...hold, isLast: false });
  }
  return holds;
}

function describeHold({ org_id, hold_id, hold_scopes, logical }: UsageEvent): HeldUsage | undefined {
  return hold_id === null ? undefined : { organizationId: org_id, holdId: hold_id, scopes: hold_scopes, isLast: logical };
}

/** Of an event that could not be counted: what of it can be trusted is what it says here. */
function readHold(payload: string): HeldUsage | undefined {
  const { org_id, hold_id, hold_scopes, logical } = readFields(payload);
  if (typeof org_id !== 'string' || typeof hold_id !== 'string' || !Array.isArray(hold_scopes)) return undefined;
  const scopes = hold_scopes.filter((scope): scope is string => typeof scope === 'string');
  return { organizationId: org_id, holdId: hold_id, scopes, isLast: logical === true };
}

function readFields(payload: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(payload);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
