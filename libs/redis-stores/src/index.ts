// This library keeps what processes share in Redis: watermarks, holds, rates, free-model days, cached replies and change notices.
export * from './client/create-redis';
export * from './create-circuit';
export * from './create-redis-change-notices';
export * from './create-redis-free-model-days';
export * from './create-redis-presence';
export * from './create-redis-rate-limiter';
export * from './create-redis-reply-cache';
export * from './create-redis-watermark-store';
export * from './open-redis-limits';
export * from './open-redis-metering';
export * from './read-all-keys';
export { createRedisHoldStore, type RedisHoldStore } from './holds/create-redis-hold-store';
