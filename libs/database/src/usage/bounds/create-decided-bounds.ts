import { createHash } from 'node:crypto';
import { OTHER_VALUE, periodStart, type SeriesBounds, type TimedUsageEvent } from '@weir/usage';
import type { PoolClient } from 'pg';

/** Bounds that decide nothing anew: for events that were counted before, by what was decided then. */
type DecidedBounds = { open(client: PoolClient, events: readonly TimedUsageEvent[]): Promise<SeriesBounds> };

/** No time in the tables of decisions: a field that has no place never gets one, nor does a value on a day that is full. */
const READ_FIELDS = {
  name: 'weir-read-decided-fields',
  text: 'SELECT field FROM usage_extra_field WHERE org_id = $1',
};

const READ_VALUES = {
  name: 'weir-read-decided-values',
  text: 'SELECT field, value FROM usage_extra_value WHERE org_id = $1 AND day = to_timestamp($2::bigint)',
};

/** Of an hour on a day on which series were folded for want of places; of any other hour there is nothing to know. */
const READ_SERIES = {
  name: 'weir-read-decided-series',
  text: `SELECT encode(s.hash, 'hex') AS hash FROM usage_hour h JOIN usage_series s ON s.id = h.series_id
    WHERE h.org_id = $1 AND h.period_start = to_timestamp($2::bigint) AND EXISTS (
      SELECT FROM usage_bound_met m WHERE m.org_id = $1 AND m.day = to_timestamp($3::bigint) AND m.bound = 'series')`,
};

type Extra = { readonly fields: ReadonlySet<string>; readonly values: ReadonlyMap<string, ReadonlySet<string>> };

/** For events of one organization within one hour. */
export function createDecidedBounds({
  organizationId,
  hourMs,
}: {
  readonly organizationId: string;
  readonly hourMs: number;
}): DecidedBounds {
  const dayMs = periodStart('day', hourMs);
  let extra: Extra | undefined;
  let series: ReadonlySet<string> | undefined;
  return {
    open: async (client, events) => {
      if (extra === undefined && events.some(({ event }) => Object.keys(event.extra).length > 0)) {
        extra = await readExtra(client, organizationId, dayMs);
      }
      series ??= await readSeries(client, [organizationId, hourMs / 1000, dayMs / 1000]);
      return decideBy(extra, series);
    },
  };
}

function decideBy(extra: Extra | undefined, series: ReadonlySet<string>): SeriesBounds {
  return {
    boundExtra: (_organizationId, _admittedAtMs, given) =>
      given
        .filter(([field]) => extra?.fields.has(field))
        .map(([field, value]) => [field, extra?.values.get(field)?.has(value) === true ? value : OTHER_VALUE]),
    hasCapacity: (_organizationId, _hourMs, identity) =>
      series.size === 0 || series.has(createHash('sha256').update(identity).digest('hex')),
  };
}

async function readExtra(client: PoolClient, organizationId: string, dayMs: number): Promise<Extra> {
  const fields = await client.query<{ field: string }>({ ...READ_FIELDS, values: [organizationId] });
  const ofDay = await client.query<{ field: string; value: string }>({ ...READ_VALUES, values: [organizationId, dayMs / 1000] });
  const values = new Map<string, Set<string>>();
  for (const { field, value } of ofDay.rows) {
    const ofField = values.get(field) ?? new Set<string>();
    values.set(field, ofField.add(value));
  }
  return { fields: new Set(fields.rows.map(({ field }) => field)), values };
}

async function readSeries(client: PoolClient, values: readonly unknown[]): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ hash: string }>({ ...READ_SERIES, values: [...values] });
  return new Set(rows.map(({ hash }) => hash));
}
