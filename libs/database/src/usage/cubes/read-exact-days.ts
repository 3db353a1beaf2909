import type { PoolClient } from 'pg';
import type { DaysRange, ExactDay } from './plan-sources';

const READ_EXACT_DAYS = {
  name: 'weir-read-exact-days',
  text: `SELECT extract(epoch FROM day)::bigint::text AS seconds, CASE WHEN state = 'exact' THEN cubes ELSE 0 END::int AS cubes, exact_hours AS hours
    FROM usage_cube_day WHERE org_id = $1 AND day >= to_timestamp($2::bigint) AND day < to_timestamp($3::bigint)
      AND (state = 'exact' OR exact_hours > 0) ORDER BY day`,
};

type Row = { readonly seconds: string; readonly cubes: number; readonly hours: number };

/**
 * The days of which cubes say the same as their hours, in order. True within the snapshot of the caller's transaction:
 * cubes have to be read in it too.
 */
export async function readExactDays(client: PoolClient, organizationId: string, { startMs, endMs }: DaysRange): Promise<ExactDay[]> {
  const { rows } = await client.query<Row>({ ...READ_EXACT_DAYS, values: [organizationId, startMs / 1000, endMs / 1000] });
  return rows.map(({ seconds, cubes, hours }) => ({ startMs: Number(seconds) * 1000, cubes, hours }));
}
