import type { RedisCluster } from '../../client/redis-cluster';
import { enlistScopes, listScopes, split, type ListedScope, type ScopeList } from '../scopes/scope-list';
import { COMMON_ORGANIZATIONS } from './cluster-scripts';

/** Of each organization beside its counters: what is listed is away exactly when they are. */
const listOf = (organizationId: string): string => `weir:{${organizationId}}:hold-scopes`;

const ORGANIZATIONS_AT_ONCE = 50;

/** Organizations are listed when their counters begin (see `ANNOUNCE`), and with what is enlisted. Those whose node is away are left out. */
export function createClusterScopeList(cluster: RedisCluster): ScopeList {
  const listOne = (organizationId: string, nowMs: number): Promise<string[]> =>
    listScopes(cluster, listOf(organizationId), nowMs).catch(() => []);
  return {
    enlist: async (organizationId, scopes, nowMs) => {
      await Promise.all([
        enlistScopes(cluster, listOf(organizationId), { organizationId, scopes, nowMs }),
        cluster.sadd(COMMON_ORGANIZATIONS, organizationId),
      ]);
    },
    list: async (nowMs) => {
      const organizationIds = await cluster.smembers(COMMON_ORGANIZATIONS);
      const found: ListedScope[] = [];
      for (let from = 0; from < organizationIds.length; from += ORGANIZATIONS_AT_ONCE) {
        const some = organizationIds.slice(from, from + ORGANIZATIONS_AT_ONCE);
        const lists = await Promise.all(some.map((organizationId) => listOne(organizationId, nowMs)));
        for (const members of lists) for (const member of members) found.push(split(member));
      }
      return found;
    },
  };
}
