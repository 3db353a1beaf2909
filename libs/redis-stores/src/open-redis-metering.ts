import type { ProcessReports } from '@weir/access';
import type { FreeSlots, HoldStore } from '@weir/limits';
import type { CatalogSource } from '@weir/model-catalog';
import type { WatermarkStore } from '@weir/usage';
import { createCircuit } from './create-circuit';
import { createRedisCatalogBoard } from './create-redis-catalog-board';
import { createRedisPassportUses, type UsedPassports } from './create-redis-passport-uses';
import { createRedis, createRedisCheck, isCluster, type RedisLog } from './client/create-redis';
import { createRedisFreeSlots } from './create-redis-free-model-days';
import { createRedisProcessReports } from './create-redis-process-reports';
import { createRedisWatermarkStore } from './create-redis-watermark-store';
import { createRedisHoldStore } from './holds/create-redis-hold-store';

type RedisMetering = {
  readonly watermarks: WatermarkStore;
  readonly holdStore: HoldStore;
  readonly freeModelDays: FreeSlots;
  readonly processReports: ProcessReports;
  /** Where the catalogue is read. */
  readonly catalog: CatalogSource;
  /** Passports that were used by any worker; hears when Redis could not be asked. */
  openPassportUses(own: UsedPassports, onUnshared: () => void): UsedPassports;
  /** Rejects while Redis cannot be asked. */
  check(): Promise<null>;
  close(): void;
};

/** A worker that cannot ask goes on: soon, but not where Redis is only slow. */
const USES_TIMEOUT_MS = 250;

/** What workers share with other processes about the money of their requests, over a connection of its own. */
export function openRedisMetering(url: string, placesKeptMs: number, log: RedisLog): RedisMetering {
  const redis = createRedis(url, log);
  const holdStore = createRedisHoldStore(redis, log);
  return {
    watermarks: createRedisWatermarkStore(redis),
    holdStore,
    freeModelDays: createRedisFreeSlots(redis, placesKeptMs),
    processReports: createRedisProcessReports(redis),
    catalog: createRedisCatalogBoard(redis),
    openPassportUses: (own, onUnshared) => {
      const circuit = createCircuit({ timeoutMs: USES_TIMEOUT_MS, now: () => performance.now(), isApart: isCluster(redis) });
      return createRedisPassportUses({ redis, circuit, own, now: Date.now, onUnshared });
    },
    check: createRedisCheck(redis),
    close: () => {
      holdStore.close();
      redis.disconnect();
    },
  };
}
