import { listExtra, periodStart, type SeriesBounds, type TimedUsageEvent } from '@weir/usage';
import type { PoolClient } from 'pg';
import { arrayLiteral } from '../../postgres/array-literal';
import { createExtraBounds, type ExtraOfEvent } from './create-extra-bounds';
import { createSeriesCapacity, type OrganizationHour } from './create-series-capacity';
import { boundKey, type BoundMet } from './plan-extra';

/** Bounds of one batch. */
type BatchBounds = SeriesBounds & {
  /** Writes down which bounds were met; to be called when the batch is folded. */
  writeMet(client: PoolClient): Promise<readonly BoundMet[]>;
  /** To be called once the transaction has committed. */
  remember(): void;
};

export type UsageBounds = { open(client: PoolClient, events: readonly TimedUsageEvent[]): Promise<BatchBounds> };

const ADD_MET = {
  name: 'weir-add-bounds-met',
  text: `INSERT INTO usage_bound_met (org_id, day, bound, field)
    SELECT org_id, to_timestamp(day_seconds), bound, field FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[]) AS t(org_id, day_seconds, bound, field)
    ON CONFLICT DO NOTHING`,
};

/** Keeps callers' free text from making a series of every request. */
export function createUsageBounds(): UsageBounds {
  const extra = createExtraBounds();
  const seriesCapacity = createSeriesCapacity();
  return {
    open: async (client, events) => {
      const plan = await extra.prepare(client, listExtras(events));
      await seriesCapacity.prepare(client, listHours(events));
      const met = new Map(plan.met.map((one) => [boundKey(one), one]));
      return {
        boundExtra: (organizationId, admittedAtMs, given) => extra.boundExtra(plan, { organizationId, admittedAtMs, extra: given }),
        hasCapacity: (organizationId, hourMs, identity) => {
          if (seriesCapacity.hasCapacity({ organizationId, hourMs }, identity)) return true;
          const one: BoundMet = { organizationId, dayMs: periodStart('day', hourMs), bound: 'series', field: '' };
          met.set(boundKey(one), one);
          return false;
        },
        writeMet: async (writing) => {
          const all = [...met.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
          await writeMet(writing, all);
          return all;
        },
        remember: () => extra.remember(plan),
      };
    },
  };
}

function listExtras(events: readonly TimedUsageEvent[]): ExtraOfEvent[] {
  const extras: ExtraOfEvent[] = [];
  for (const { event, admittedAtMs } of events) {
    const extra = listExtra(event.extra);
    if (extra.length > 0) extras.push({ organizationId: event.org_id, admittedAtMs, extra });
  }
  return extras;
}

function listHours(events: readonly TimedUsageEvent[]): OrganizationHour[] {
  const hours = new Map<string, OrganizationHour>();
  for (const { event, admittedAtMs } of events) {
    const hourMs = periodStart('hour', admittedAtMs);
    const key = `${event.org_id} ${hourMs}`;
    if (!hours.has(key)) hours.set(key, { organizationId: event.org_id, hourMs });
  }
  return [...hours.values()];
}

/** Said once a day and bound, in one order everywhere. */
async function writeMet(client: PoolClient, met: readonly BoundMet[]): Promise<void> {
  if (met.length === 0) return;
  await client.query({
    ...ADD_MET,
    values: [
      arrayLiteral(met.map(({ organizationId }) => organizationId)),
      arrayLiteral(met.map(({ dayMs }) => dayMs / 1000)),
      arrayLiteral(met.map(({ bound }) => bound)),
      met.map(({ field }) => field),
    ],
  });
}
