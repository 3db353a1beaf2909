import { createFallbackRateLimiter, type CountFreeSlots, type FreeModelDays, type RateLimiter } from '@weir/limits';
import { randomUUID } from 'node:crypto';
import type { Circuit } from './create-circuit';
import type { Redis, RedisLog } from './client/create-redis';
import { createRedisFreeModelDays } from './create-redis-free-model-days';
import { startRedisPresence } from './create-redis-presence';
import { createRedisRateLimiter } from './create-redis-rate-limiter';

type RedisLimitsOptions = {
  readonly redis: Redis;
  readonly circuit: Circuit;
  readonly countSlots: CountFreeSlots;
  /** How long a place of a free-model day stays taken that no worker keeps. */
  readonly placesKeptMs: number;
  readonly log: RedisLog;
  /** Called for each request whose rate was decided by this process alone. */
  readonly onFallback: () => void;
};

type RedisLimits = { readonly rates: RateLimiter; readonly freeModelDays: FreeModelDays; close(): Promise<void> };

const LOG_EVERY_MS = 10_000;

/** Request rates and free-model days as edges share them: decided in milliseconds also when Redis is away. */
export async function openRedisLimits({ redis, circuit, log, onFallback, ...places }: RedisLimitsOptions): Promise<RedisLimits> {
  const now = (): number => performance.now();
  const presence = await startRedisPresence({ redis, role: 'edge-router', id: randomUUID() });
  let loggedAtMs = -Infinity;
  const rates = createFallbackRateLimiter({
    shared: createRedisRateLimiter(redis, circuit),
    liveRouters: presence.count,
    now,
    onFallback: () => {
      onFallback();
      if (now() - loggedAtMs < LOG_EVERY_MS) return;
      loggedAtMs = now();
      log.warn({ routers: presence.count() }, 'redis is away: this process alone decides its part of request rates');
    },
  });
  const { countSlots, placesKeptMs: keptMs } = places;
  return { rates, freeModelDays: createRedisFreeModelDays({ redis, keptMs, countSlots, circuit }), close: presence.stop };
}
