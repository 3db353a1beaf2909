import type { ClickHouse } from '../connection/create-clickhouse';

/**
 * Deletes sums that another build has taken the place of, but for periods that have changed since the version `changedSince`: a
 * question that runs may still read a build that was valid when it began.
 */
export async function forgetBuilds(clickhouse: Pick<ClickHouse, 'run'>, changedSince: number): Promise<void> {
  const place = 'org_id, resolution, period';
  await clickhouse.run(
    `DELETE FROM usage_rollup
      WHERE (${place}, build) NOT IN (SELECT ${place}, argMax(build, version) FROM usage_period GROUP BY ${place})
        AND (${place}) NOT IN (SELECT ${place} FROM usage_period WHERE version >= ${changedSince})`,
  );
}
