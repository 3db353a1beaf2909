// This library keeps what processes share in Redis: watermarks, holds, rates, free-model days, cached replies, change notices, reports of processes and the catalogue.
export { createRedis, createRedisCheck, isCluster, type Redis } from './client/create-redis';
export { createCircuit, type Circuit } from './create-circuit';
export { createRedisCatalogBoard } from './create-redis-catalog-board';
export { createRedisChangeNotices } from './create-redis-change-notices';
export { createRedisProcessReports } from './create-redis-process-reports';
export { createRedisRateLimiter } from './create-redis-rate-limiter';
export { createRedisReplyCache } from './create-redis-reply-cache';
export { createRedisWatermarkStore } from './create-redis-watermark-store';
export { openRedisLimits } from './open-redis-limits';
export { openRedisMetering } from './open-redis-metering';
export { createRedisHoldStore, type RedisHoldStore } from './holds/create-redis-hold-store';
