import type { PoolClient } from 'pg';

const READ_EXACT_DAYS = {
  name: 'weir-read-exact-days',
  text: `SELECT extract(epoch FROM day)::bigint::text AS seconds FROM usage_cube_day
    WHERE org_id = $1 AND day >= to_timestamp($2::bigint) AND day < to_timestamp($3::bigint) AND state = 'exact' ORDER BY day`,
};

export type DaysRange = { readonly organizationId: string; readonly startMs: number; readonly endMs: number };

/**
 * The days whose cubes say the same as their hours, in order, as UTC epoch milliseconds. True within the snapshot of the
 * caller's transaction: cubes have to be read in it too.
 */
export async function readExactDays(client: PoolClient, { organizationId, startMs, endMs }: DaysRange): Promise<number[]> {
  const { rows } = await client.query<{ seconds: string }>({
    ...READ_EXACT_DAYS,
    values: [organizationId, startMs / 1000, endMs / 1000],
  });
  return rows.map(({ seconds }) => Number(seconds) * 1000);
}
