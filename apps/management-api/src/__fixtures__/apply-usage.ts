import { randomUUID } from 'node:crypto';
import type { UsageEvent } from '@weir/contracts';
import { createUsageStore } from '@weir/database';
import { makeUsageEvent, sequenceEvents } from '@weir/testing';
import type { ManagementSuite } from './use-management';

/** Counts usage of the suite's organization and key: `billed_p` is `cost_p` unless given. Returns the writer it came from. */
export async function applyUsage({ harness, ours }: ManagementSuite, events: readonly Partial<UsageEvent>[]): Promise<string> {
  const store = createUsageStore({ pool: harness.database.pool, now: harness.now });
  const writerId = randomUUID();
  const whole = events.map((event) =>
    makeUsageEvent({
      ...{ org_id: ours.id, api_key_id: ours.apiKeyId, ended_at: harness.now() },
      ...(event.cost_p === undefined ? {} : { billed_p: event.cost_p }),
      ...event,
    }),
  );
  expect(await store.applyBatch(sequenceEvents(writerId, whole), null)).toMatchObject({ applied: events.length });
  return writerId;
}
