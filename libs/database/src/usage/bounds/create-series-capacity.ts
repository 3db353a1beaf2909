import { SERIES_LIMITS } from '@weir/usage';
import type { PoolClient } from 'pg';
import { arrayLiteral } from '../../postgres/array-literal';
import { hashText } from './hash-text';

export type OrganizationHour = { readonly organizationId: string; readonly hourMs: number };

/** Keeps count of the series of each hour, so that an hour does not get more than its bound. */
type SeriesCapacity = {
  /** Counts hours this process has not met, or to which it has added much since it counted. */
  prepare(client: PoolClient, hours: readonly OrganizationHour[]): Promise<void>;
  hasCapacity(hour: OrganizationHour, identity: string): boolean;
};

const COUNT_SERIES = {
  name: 'weir-count-series',
  text: `SELECT t.org_id, t.hour_seconds::text AS hour_seconds,
      (SELECT count(*) FROM usage_hour h WHERE h.org_id = t.org_id AND h.period_start = to_timestamp(t.hour_seconds))::text AS count
    FROM unnest($1::uuid[], $2::bigint[]) AS t(org_id, hour_seconds)`,
};

/** Other processes add to the same hours: each looks again after adding so many. */
const COUNT_AGAIN_AFTER = 2_000;
const HOURS_REMEMBERED_MAX = 5_000;
const IDENTITIES_REMEMBERED_MAX = 500_000;

type Hour = {
  /** Series that Postgres had when they were counted last. */
  counted: number;
  /** Of those that this process has met since the start, by hash: a collision lets one more in. */
  readonly met: Set<number>;
  metWhenCounted: number;
};

export function createSeriesCapacity(): SeriesCapacity {
  const hours = new Map<string, Hour>();
  let identities = 0;
  return {
    prepare: async (client, wanted) => {
      if (hours.size > HOURS_REMEMBERED_MAX || identities > IDENTITIES_REMEMBERED_MAX) {
        hours.clear();
        identities = 0;
      }
      const uncounted = wanted.filter((one) => isUncounted(hours.get(hourKey(one))));
      for (const [key, counted] of await countSeries(client, uncounted)) {
        const hour = hours.get(key) ?? { counted, met: new Set(), metWhenCounted: 0 };
        hour.counted = counted;
        hour.metWhenCounted = hour.met.size;
        hours.set(key, hour);
      }
    },
    hasCapacity: (one, identity) => {
      const hour = hours.get(hourKey(one));
      if (hour === undefined) return true;
      const hash = hashText(identity);
      if (hour.met.has(hash)) return true;
      // A series that Postgres has and this process has not met is taken for new: near the bound it may be folded, never lost.
      if (hour.counted + hour.met.size - hour.metWhenCounted >= SERIES_LIMITS.seriesPerHourMax) return false;
      hour.met.add(hash);
      identities += 1;
      return true;
    },
  };
}

function isUncounted(hour: Hour | undefined): boolean {
  return hour === undefined || hour.met.size - hour.metWhenCounted >= COUNT_AGAIN_AFTER;
}

function hourKey({ organizationId, hourMs }: OrganizationHour): string {
  return `${organizationId} ${hourMs}`;
}

async function countSeries(client: PoolClient, hours: readonly OrganizationHour[]): Promise<Map<string, number>> {
  if (hours.length === 0) return new Map();
  const { rows } = await client.query<{ org_id: string; hour_seconds: string; count: string }>({
    ...COUNT_SERIES,
    values: [arrayLiteral(hours.map(({ organizationId }) => organizationId)), arrayLiteral(hours.map(({ hourMs }) => hourMs / 1000))],
  });
  return new Map(rows.map((row) => [hourKey({ organizationId: row.org_id, hourMs: Number(row.hour_seconds) * 1000 }), Number(row.count)]));
}
