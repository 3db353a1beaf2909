import type { FreePlaces, HoldStore } from '@weir/limits';
import type { WatermarkStore } from '@weir/usage';
import { createRedis, type RedisLog } from './create-redis';
import { createRedisFreePlaces } from './create-redis-free-model-days';
import { createRedisWatermarkStore } from './create-redis-watermark-store';
import { createRedisHoldStore } from './holds/create-redis-hold-store';

export type RedisMetering = {
  readonly watermarks: WatermarkStore;
  readonly holdStore: HoldStore;
  readonly freeModelDays: FreePlaces;
  close(): void;
};

/** What workers share with other processes about the money of their requests, over a connection of its own. */
export function openRedisMetering(url: string, placesKeptMs: number, log: RedisLog): RedisMetering {
  const redis = createRedis(url, log);
  const holdStore = createRedisHoldStore(redis, log);
  return {
    watermarks: createRedisWatermarkStore(redis),
    holdStore,
    freeModelDays: createRedisFreePlaces(redis, placesKeptMs),
    close: () => {
      holdStore.close();
      redis.disconnect();
    },
  };
}
