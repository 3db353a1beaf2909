import type { Redis } from '../../client/create-redis';
import { factsOf, hashOf, isOver } from './scope-facts';

/** Scopes by when they are over: so that what is over is dropped without being read. */
const SCOPES_KEY = 'weir:holds:scopes-by-expiry';
/** Where versions before this kept them, as a plain set; what they have seeded is listed as well. */
const OLD_SCOPES_KEY = 'weir:holds:scopes';

export type ListedScope = { readonly organizationId: string; readonly scope: string };

/** Which scopes there are: those that commits are compared with. */
export type ScopeList = {
  enlist(organizationId: string, scopes: readonly string[], nowMs: number): Promise<void>;
  list(nowMs: number): Promise<ListedScope[]>;
};

export function createScopeList(redis: Redis): ScopeList {
  return {
    enlist: (organizationId, scopes, nowMs) => enlistScopes(redis, SCOPES_KEY, { organizationId, scopes, nowMs }),
    list: async (nowMs) => {
      const [listed, old] = await Promise.all([listScopes(redis, SCOPES_KEY, nowMs), readOld(redis, nowMs)]);
      return [...new Set([...listed, ...old])].map(split);
    },
  };
}

type Enlisted = { readonly organizationId: string; readonly scopes: readonly string[]; readonly nowMs: number };

/** What runs at a moment is not listed: it is compared with nothing that is committed. */
export async function enlistScopes(redis: Redis, key: string, { organizationId, scopes, nowMs }: Enlisted): Promise<void> {
  const entries = scopes.filter(isListed).flatMap((scope) => [String(overAt(scope, nowMs)), `${organizationId} ${scope}`]);
  if (entries.length > 0) await redis.zadd(key, ...entries);
}

export async function listScopes(redis: Redis, key: string, nowMs: number): Promise<string[]> {
  await dropOver(redis, key, nowMs);
  return redis.zrange(key, '0', '-1');
}

function isListed(scope: string): boolean {
  return factsOf(scope).kind !== 'now';
}

function overAt(scope: string, nowMs: number): number | string {
  const { expiryMs, idleMs } = factsOf(scope);
  return expiryMs ?? (idleMs === null ? '+inf' : nowMs + idleMs);
}

/** What has no period may have been used since: it stays as long as its keys do. */
async function dropOver(redis: Redis, key: string, nowMs: number): Promise<void> {
  const due = await redis.zrangebyscore(key, '-inf', `(${nowMs}`);
  const over: string[] = [];
  for (const member of due) {
    const { organizationId, scope } = split(member);
    if (factsOf(scope).idleMs !== null && (await redis.exists(hashOf(organizationId, scope))) === 1)
      await enlistScopes(redis, key, { organizationId, scopes: [scope], nowMs });
    else over.push(member);
  }
  if (over.length > 0) await redis.zrem(key, ...over);
}

async function readOld(redis: Redis, nowMs: number): Promise<string[]> {
  const members = await redis.smembers(OLD_SCOPES_KEY);
  const over = members.filter((member) => isOver(split(member).scope, nowMs));
  if (over.length > 0) await redis.srem(OLD_SCOPES_KEY, ...over);
  return members.filter((member) => !over.includes(member));
}

export function split(member: string): ListedScope {
  const at = member.indexOf(' ');
  return { organizationId: member.slice(0, at), scope: member.slice(at + 1) };
}
