import type { Pool } from 'pg';
import { arrayLiteral } from '../postgres/array-literal';

export type AnomalyMeasure = 'usd' | 'requests';

/** Hours of one key, by where they begin in UTC epoch milliseconds. */
export type WantedHours = { readonly organizationId: string; readonly apiKeyId: string; readonly hours: readonly number[] };
export type HourUsage = Readonly<Record<AnomalyMeasure, bigint>>;

const READ_HOURS = {
  name: 'weir-read-hours-of-keys',
  text: `SELECT w.place, floor(extract(epoch FROM w.at) * 1000)::text AS at, sum(h.cost_pico)::text AS usd, sum(h.requests)::text AS requests
    FROM unnest($1::int[], $2::uuid[], $3::uuid[], $4::bigint[]) AS given(place, org_id, api_key_id, at_ms)
    CROSS JOIN LATERAL (SELECT given.place, to_timestamp(given.at_ms / 1000.0) AS at) w
    JOIN usage_series s ON s.org_id = given.org_id AND s.api_key_id = given.api_key_id
    JOIN usage_hour h ON h.org_id = given.org_id AND h.period_start = w.at AND h.series_id = s.id
    GROUP BY w.place, w.at`,
};

/** What keys used in hours; an hour that is absent had nothing. One map for each that is asked for, in that order. */
export async function readHoursOfKeys(pool: Pool, wanted: readonly WantedHours[]): Promise<ReadonlyMap<number, HourUsage>[]> {
  const rows = wanted.flatMap(({ hours, ...key }, place) => hours.map((at) => ({ ...key, place, at })));
  const found = wanted.map(() => new Map<number, HourUsage>());
  if (rows.length === 0) return found;
  const read = await pool.query<{ place: number; at: string; usd: string; requests: string }>({
    ...READ_HOURS,
    values: [
      arrayLiteral(rows.map(({ place }) => place)),
      arrayLiteral(rows.map(({ organizationId }) => organizationId)),
      arrayLiteral(rows.map(({ apiKeyId }) => apiKeyId)),
      arrayLiteral(rows.map(({ at }) => at)),
    ],
  });
  for (const { place, at, usd, requests } of read.rows) found[place]?.set(Number(at), { usd: BigInt(usd), requests: BigInt(requests) });
  return found;
}
