import type { RedisCluster } from '../../client/redis-cluster';

/** Clocks move apart between two looks by less. */
const SLACK_MS = 1_000;

/**
 * At most so many milliseconds the clock of one node is ahead of another's. Holds expire by the clock of the node that has them, and
 * writers report on another's. Rejects when a node does not say what time it is.
 */
export async function measureClocks(cluster: RedisCluster): Promise<number> {
  const offsets = await Promise.all(
    cluster.nodes('master').map(async (node) => {
      const askedMs = performance.now();
      const [seconds, microseconds] = await node.time();
      const clockMs = Number(seconds) * 1000 + Number(microseconds) / 1000;
      return { least: clockMs - performance.now(), most: clockMs - askedMs };
    }),
  );
  const least = Math.min(...offsets.map((each) => each.least));
  const most = Math.max(...offsets.map((each) => each.most));
  return Math.ceil(Math.max(0, most - least)) + SLACK_MS;
}
