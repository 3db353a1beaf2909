import type { CountFreePlaces, FreeModelDays, FreePlace } from '@weir/limits';
import type { Redis } from 'ioredis';
import { runAlways, type Circuit } from './create-circuit';
import { createScript } from './create-script';

/** One hash a day: how many places were used before it was made, and one field for each request since. */
const TAKE = `
local base = redis.call('HGET', KEYS[1], 'base')
if not base then
  if ARGV[4] == '' then return {-1, 0} end
  base = ARGV[4]
  redis.call('HSET', KEYS[1], 'base', base)
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
local used = base + redis.call('HLEN', KEYS[1]) - 1
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return {1, used} end
if used >= tonumber(ARGV[2]) then return {0, used} end
redis.call('HSET', KEYS[1], ARGV[1], 1)
return {1, used + 1}`;

/** Requests that were admitted before midnight may fail after it. */
const KEPT_MS = 2 * 86_400_000;

/** Free-model days that all processes share. A day that Redis does not know starts from what `countPlaces` knows of it. */
export function createRedisFreeModelDays(redis: Redis, countPlaces: CountFreePlaces, circuit: Circuit = runAlways): FreeModelDays {
  const run = createScript(redis, TAKE);
  const take = async (place: FreePlace, limit: number, base: number | ''): Promise<[number, number]> =>
    (await circuit(() => run([keyOf(place)], [fieldOf(place), limit, KEPT_MS, base]))) as [number, number];
  return {
    take: async (place, limit) => {
      let [answer, used] = await take(place, limit, '');
      if (answer === -1) [answer, used] = await take(place, limit, await countPlaces(place.organizationId, place.dayMs));
      return { isAllowed: answer === 1, used };
    },
    ...createRedisFreePlaceReturns(redis),
  };
}

/** The part of it that workers need. */
export function createRedisFreePlaceReturns(redis: Redis): Pick<FreeModelDays, 'giveBack'> {
  return {
    giveBack: async (place) => {
      await redis.hdel(keyOf(place), fieldOf(place));
    },
  };
}

function keyOf({ organizationId, dayMs }: FreePlace): string {
  return `weir:free:{${organizationId}}:${new Date(dayMs).toISOString().slice(0, 10)}`;
}

function fieldOf({ requestId }: FreePlace): string {
  return `r:${requestId}`;
}
