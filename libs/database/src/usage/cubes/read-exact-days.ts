import type { PoolClient } from 'pg';
import type { CubesWanted } from './plan-sources';

const READ_EXACT_DAYS = {
  name: 'weir-read-exact-days',
  text: `SELECT extract(epoch FROM day)::bigint::text AS seconds FROM usage_cube_day
    WHERE org_id = $1 AND day >= to_timestamp($2::bigint) AND day < to_timestamp($3::bigint) AND state = 'exact' AND cubes >= $4 ORDER BY day`,
};

export type DaysRange = CubesWanted & { readonly organizationId: string };

/**
 * The days whose cubes, up to the wanted one, say the same as their hours, in order, as UTC epoch milliseconds. True within the snapshot of the
 * caller's transaction: cubes have to be read in it too.
 */
export async function readExactDays(client: PoolClient, { organizationId, startMs, endMs, cubeId }: DaysRange): Promise<number[]> {
  const { rows } = await client.query<{ seconds: string }>({
    ...READ_EXACT_DAYS,
    values: [organizationId, startMs / 1000, endMs / 1000, cubeId],
  });
  return rows.map(({ seconds }) => Number(seconds) * 1000);
}
