import { usageCorrection, usageEvent, type UsageEvent } from '@weir/contracts';
import { isCorrection, type GenerationReader } from '@weir/usage';
import type { Pool } from 'pg';
import { runAsOrganization } from '../tenancy/organization-database';
import { findGenerationNames } from './generations/find-generation-names';
import { listGenerations } from './generations/list-generations';

/** By an index of each partition; two rows are one event only if a writer journalled it twice, which `seen` rules out. */
const FIND_EVENTS = {
  name: 'weir-find-generation',
  text: `SELECT payload::text AS payload FROM usage_event WHERE org_id = $1::uuid AND request_id = $2 LIMIT 100`,
};

/** What became of a request, from the raw events: for as long as those are kept. */
export function createGenerationReader(pool: Pool): GenerationReader {
  return {
    findNames: (event) => findGenerationNames(pool, event),
    listGenerations: (query) => listGenerations(pool, query),
    findEvents: async (organizationId, requestId) => {
      const { rows } = await runAsOrganization(pool, { organizationId }, (client) =>
        client.query<{ payload: string }>({ ...FIND_EVENTS, values: [organizationId, requestId] }),
      );
      const events = rows.flatMap(({ payload }) => {
        const read = readEvent(JSON.parse(payload));
        return read === undefined ? [] : [read];
      });
      return events.sort((a, b) => placeOf(a) - placeOf(b) || startOf(a) - startOf(b) || a.attempt_no - b.attempt_no);
    },
  };
}

function readEvent(value: unknown): UsageEvent | undefined {
  const correction = usageCorrection.safeParse(value);
  return correction.success ? correction.data : usageEvent.safeParse(value).data;
}

/** Corrections come last, in the order in which they were made. */
function placeOf(event: UsageEvent): number {
  return isCorrection(event) ? event.corrects.number : 0;
}

/** Attempts are not always made in the order of the plan. */
function startOf({ ended_at: endedAt, dur_ms: durationMs }: { readonly ended_at: number; readonly dur_ms: number }): number {
  return endedAt - durationMs;
}
