import type { CountFreeSlots, FreeModelDay, FreeModelDays, FreeSlot, FreeSlots } from '@weir/limits';
import type { Redis } from './client/create-redis';
import { runAlways, type Circuit } from './create-circuit';
import { createScript } from './client/create-script';

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * KEYS: how many slots were used before the day was known here, and the slots since, by when they are given up on the
 * server's clock. ARGV: request, limit, how long a slot is kept, how long a day is, slots used before or nothing.
 */
const TAKE = `
local base = redis.call('GET', KEYS[1])
if not base then
  if ARGV[5] == '' then return {-1, 0} end
  base = ARGV[5]
  redis.call('SET', KEYS[1], base, 'PX', ARGV[4])
end
${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('(%.0f', now))
local taken = redis.call('ZCARD', KEYS[2])
local used = base + taken
if redis.call('ZSCORE', KEYS[2], ARGV[1]) then return {1, used} end
if used >= tonumber(ARGV[2]) then return {0, used} end
redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1])
if taken == 0 then redis.call('PEXPIRE', KEYS[2], ARGV[4]) end
return {1, used + 1}`;

/** KEYS: as above. Returns how many places were used before, if that is known, and how many are taken since. */
const READ_USED = `
${NOW}
return {redis.call('GET', KEYS[1]), redis.call('ZCOUNT', KEYS[2], string.format('%.0f', now), '+inf')}`;

/** KEYS: the slots. ARGV: request, how long it is kept now ('inf' once it is used), how long a day is kept. */
const ENTER = `
${NOW}
local untilMs = ARGV[2] == 'inf' and '+inf' or now + ARGV[2]
redis.call('ZADD', KEYS[1], 'GT', untilMs, ARGV[1])
if redis.call('ZCARD', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
return 1`;

/** Requests that were admitted before midnight may fail after it. */
const DAY_KEPT_MS = 2 * 86_400_000;

type RedisFreeModelDaysOptions = {
  readonly redis: Redis;
  readonly keptMs: number;
  readonly countSlots: CountFreeSlots;
  readonly circuit?: Circuit;
};

/** Free-model days that all processes share. A day that Redis does not know starts from what `countSlots` knows of it. */
export function createRedisFreeModelDays({ redis, keptMs, countSlots, circuit = runAlways }: RedisFreeModelDaysOptions): FreeModelDays {
  const { run } = createScript(redis, TAKE);
  const { run: runRead } = createScript(redis, READ_USED);
  const keysOf = (day: FreeModelDay): string[] => [`${slotsOf(day)}:base`, slotsOf(day)];
  const take = async (slot: FreeSlot, limit: number, base: number | ''): Promise<[number, number]> =>
    (await circuit(() => run(keysOf(slot), [slot.requestId, limit, keptMs, DAY_KEPT_MS, base]), slot.organizationId)) as [number, number];
  return {
    ...createRedisFreeSlots(redis, keptMs),
    take: async (slot, limit) => {
      let [answer, used] = await take(slot, limit, '');
      if (answer === -1) [answer, used] = await take(slot, limit, await countSlots(slot.organizationId, slot.dayMs));
      return { isAllowed: answer === 1, used };
    },
    readUsed: async (day) => {
      const [base, taken] = (await circuit(() => runRead(keysOf(day), []), day.organizationId)) as [string | null, number];
      return Number(base ?? (await countSlots(day.organizationId, day.dayMs))) + taken;
    },
  };
}

export function createRedisFreeSlots(redis: Redis, keptMs: number): FreeSlots {
  const { run } = createScript(redis, ENTER);
  const enter = async (slot: FreeSlot, forMs: number | 'inf'): Promise<void> => {
    await run([slotsOf(slot)], [slot.requestId, forMs, DAY_KEPT_MS]);
  };
  return {
    keptMs,
    keep: (slot) => enter(slot, keptMs),
    use: (slot) => enter(slot, 'inf'),
    giveBack: async (slot) => {
      await redis.zrem(slotsOf(slot), slot.requestId);
    },
  };
}

function slotsOf({ organizationId, dayMs }: FreeModelDay): string {
  return `weir:free-day:{${organizationId}}:${new Date(dayMs).toISOString().slice(0, 10)}`;
}
