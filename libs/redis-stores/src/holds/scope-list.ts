import type { Redis } from 'ioredis';
import { factsOf, hashOf, isOver } from './scope-facts';

/** Scopes by when they are over: so that what is over is dropped without being read. */
const SCOPES_KEY = 'weir:holds:scopes-by-expiry';
/** Where versions before this kept them, as a plain set; what they have seeded is listed as well. */
const OLD_SCOPES_KEY = 'weir:holds:scopes';

export type ListedScope = { readonly organizationId: string; readonly scope: string };

/** What runs at a moment is not listed: it is compared with nothing that is committed. */
export async function enlistScopes(redis: Redis, organizationId: string, scopes: readonly string[], nowMs: number): Promise<void> {
  const entries = scopes.filter(isListed).flatMap((scope) => [String(overAt(scope, nowMs)), `${organizationId} ${scope}`]);
  if (entries.length > 0) await redis.zadd(SCOPES_KEY, ...entries);
}

export async function listScopes(redis: Redis, nowMs: number): Promise<ListedScope[]> {
  await dropOver(redis, nowMs);
  const [listed, old] = await Promise.all([redis.zrange(SCOPES_KEY, '0', '-1'), readOld(redis, nowMs)]);
  return [...new Set([...listed, ...old])].map(split);
}

function isListed(scope: string): boolean {
  return factsOf(scope).kind !== 'now';
}

function overAt(scope: string, nowMs: number): number | string {
  const { expiryMs, idleMs } = factsOf(scope);
  return expiryMs ?? (idleMs === null ? '+inf' : nowMs + idleMs);
}

/** What has no period may have been used since: it stays as long as its keys do. */
async function dropOver(redis: Redis, nowMs: number): Promise<void> {
  const due = await redis.zrangebyscore(SCOPES_KEY, '-inf', `(${nowMs}`);
  const over: string[] = [];
  for (const member of due) {
    const { organizationId, scope } = split(member);
    if (factsOf(scope).idleMs !== null && (await redis.exists(hashOf(organizationId, scope))) === 1)
      await enlistScopes(redis, organizationId, [scope], nowMs);
    else over.push(member);
  }
  if (over.length > 0) await redis.zrem(SCOPES_KEY, ...over);
}

async function readOld(redis: Redis, nowMs: number): Promise<string[]> {
  const members = await redis.smembers(OLD_SCOPES_KEY);
  const over = members.filter((member) => isOver(split(member).scope, nowMs));
  if (over.length > 0) await redis.srem(OLD_SCOPES_KEY, ...over);
  return members.filter((member) => !over.includes(member));
}

function split(member: string): ListedScope {
  const at = member.indexOf(' ');
  return { organizationId: member.slice(0, at), scope: member.slice(at + 1) };
}
