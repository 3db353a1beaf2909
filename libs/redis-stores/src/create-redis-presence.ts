import type { Redis } from './client/create-redis';

type PresenceOptions = {
  readonly redis: Redis;
  /** Which processes are counted together. */
  readonly role: string;
  readonly id: string;
  readonly everyMs?: number;
};

type Presence = {
  /** How many processes of the role there were when Redis was last heard of, this one included. */
  count(): number;
  stop(): Promise<void>;
};

const GONE_AFTER_PERIODS = 3;

/** On Redis' clock: notes this process, drops those that were not heard of for three periods, counts. */
const NOTE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])`;

/** Counts the live processes of a role. */
export async function startRedisPresence({ redis, role, id, everyMs = 5_000 }: PresenceOptions): Promise<Presence> {
  const key = `weir:presence:${role}`;
  let known = 1;
  const note = async (): Promise<void> => {
    known = Number(await redis.eval(NOTE, 1, key, id, everyMs * GONE_AFTER_PERIODS));
  };
  const ignore = (): void => undefined; // what was known last is the best there is
  await note().catch(ignore);
  const timer = setInterval(() => void note().catch(ignore), everyMs);
  timer.unref();
  return {
    count: () => known,
    stop: async () => {
      clearInterval(timer);
      await redis.zrem(key, id).catch(ignore);
    },
  };
}
