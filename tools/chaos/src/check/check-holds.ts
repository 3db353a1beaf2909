import { createHoldTruth, type Database } from '@weir/database';
import { measureOfScope, type ScopeState } from '@weir/limits';
import { createRedis, createRedisHoldStore, type RedisHoldStore } from '@weir/redis-stores';
import { setTimeout as pause } from 'node:timers/promises';

type CheckHoldsParts = {
  readonly redisUrl: string;
  readonly pool: Database['pool'];
  /** How long counters may take to be brought up to what is committed, and holds of the killed to expire. */
  readonly patienceMs: number;
};

const SILENT = { info: () => undefined, warn: () => undefined };
const PICO_PER_NANO = 1_000n;

/** I6: at rest nothing is held but what gateways keep for an outage, and every counter stands where Postgres does: at 0 of what runs. */
export async function checkHolds({ redisUrl, pool, patienceMs }: CheckHoldsParts): Promise<readonly string[]> {
  const redis = createRedis(redisUrl, SILENT);
  const store = createRedisHoldStore(redis, SILENT);
  const deadline = Date.now() + patienceMs;
  try {
    for (;;) {
      const scopes = await store.listScopes();
      const found = (await Promise.all(scopes.map((scope) => checkScope(store, pool, scope)))).flat();
      const violations = scopes.length === 0 ? ['no counter knows of anything'] : found;
      if (violations.length === 0 || Date.now() > deadline) return violations;
      await pause(1_000);
    }
  } finally {
    store.close();
    redis.disconnect();
  }
}

type Scope = { readonly organizationId: string; readonly scope: string };

async function checkScope(store: RedisHoldStore, pool: Database['pool'], { organizationId, scope }: Scope): Promise<string[]> {
  const state = await store.readScope(organizationId, scope);
  // After the counter, so that it includes all that the counter can know.
  const [truth] = await createHoldTruth(pool).readBases(organizationId, [scope]);
  const committed = truth?.base ?? 0n;
  const kept = measureOfScope(scope) === 'usd' ? ((committed + PICO_PER_NANO - 1n) / PICO_PER_NANO) * PICO_PER_NANO : committed;
  const isEven = !state.isSeeded || state.base === kept;
  return [...listHeld(scope, state), ...(isEven ? [] : [`${scope}: the counter stands at ${state.base}, Postgres at ${committed}`])];
}

function listHeld(scope: string, { settled, open }: ScopeState): string[] {
  // What expired is given back by the next request that asks.
  const held = open.filter(({ holdId, isExpired }) => !isExpired && !holdId.startsWith('lease:'));
  if (settled.length + held.length === 0) return [];
  return [`${scope}: ${held.length} holds are open and ${settled.length} wait to be confirmed`];
}
