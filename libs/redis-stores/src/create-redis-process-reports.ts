import { PROCESS_REPORT_CHARS_MAX, type ProcessReports } from '@weir/access';
import type { Redis } from './client/create-redis';
import { createScript } from './client/create-script';

/** Of one slot, so that the scripts may reach all of them in a cluster. */
const PREFIX = '{weir:process-reports}:';
const ENDS = `${PREFIX}ends`;
const PROCESSES_MAX = 1_000;

/** On Redis' clock: forgets processes that were not heard of for their time, then keeps the report of this one. */
const PUBLISH = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[3]) then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return 1`;

/** What processes report of themselves, for all that share this Redis. */
export function createRedisProcessReports(redis: Redis): ProcessReports {
  const { run } = createScript(redis, PUBLISH);
  return {
    publish: async (processId, report, forMs) => {
      if (report.length > PROCESS_REPORT_CHARS_MAX) return;
      await run([ENDS, PREFIX + processId], [processId, report, forMs, PROCESSES_MAX]);
    },
    list: async () => {
      const ids = await redis.zrange(ENDS, 0, '-1');
      if (ids.length === 0) return [];
      const reports = await redis.mget(ids.map((id) => PREFIX + id));
      // The time of some may have come between; their keys are gone then.
      return reports.filter((report) => report !== null);
    },
    withdraw: async (processId) => {
      await redis.zrem(ENDS, processId);
      await redis.del(PREFIX + processId);
    },
  };
}
