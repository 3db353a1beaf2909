/**
 * What is known of counters in a cluster. Every node may lose what it has by itself, so each organization has a mark beside its
 * counters, in their slot, which goes with them wherever they go; and what all organizations have in common is in one other slot.
 */

/** What every server calls itself since it was started. */
const RUN = `
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

export function markOf(organizationId: string): string {
  return `weir:{${organizationId}}:hold-generation`;
}

export const COMMON = '{weir:holds}:generation';
export const COMMON_WRITERS = '{weir:holds}:writers';
export const COMMON_ORGANIZATIONS = '{weir:holds}:organizations';

/**
 * KEYS: the mark of an organization. ARGV: an id for a new generation. It is new where there is no mark, or another server made it: one
 * that was started anew, that has taken over, or where a slot has moved to. Returns its id, since how many milliseconds it is announced
 * (-1: it is not yet), and 1 where there was no mark.
 */
export const LEARN_MARK = `${RUN}
local known = redis.call('HMGET', KEYS[1], 'id', 'run', 'announced', 'first')
if known[1] and known[2] == run then
  return { known[1], known[3] and math.max(0, now - tonumber(known[3])) or -1, tonumber(known[4] or '0') }
end
local first = known[1] and '0' or '1'
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'run', run, 'first', first)
return { ARGV[1], -1, tonumber(first) }`;

/** KEYS: as above. ARGV: the id that was announced, 1 where nothing was lost. Returns since how many milliseconds, -1 if it is another by now. */
export const MARK_ANNOUNCED = `${RUN}
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return -1 end
redis.call('HSETNX', KEYS[1], 'announced', ARGV[2] == '1' and '0' or string.format('%.0f', now))
return math.max(0, now - tonumber(redis.call('HGET', KEYS[1], 'announced')))`;

/**
 * KEYS: what is common, organizations. ARGV: an organization, 1 where it has no mark, for how long a new generation of what is common
 * proves nothing, the generation of what is common. Returns 1 where the organization is new: no one has set anything aside for it, so
 * that nothing is lost; 0 where every process has to learn that something may be; -1 where what is common is another by now.
 */
export const ANNOUNCE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('HMGET', KEYS[1], 'id', 'born')
if known[1] ~= ARGV[4] then return -1 end
local is_new = redis.call('SADD', KEYS[2], ARGV[1]) == 1
if is_new and ARGV[2] == '1' and now - tonumber(known[2]) >= tonumber(ARGV[3]) then return 1 end
redis.call('HINCRBY', KEYS[1], 'losses', 1)
return 0`;

/** KEYS: what is common, writers. ARGV: an id for a new generation. Returns its id, its age, how many losses there were, and when the writer that was silent for longest has reported. */
export const LOOK_AT_COMMON = `${RUN}
local known = redis.call('HMGET', KEYS[1], 'id', 'run', 'born', 'losses')
local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
if known[1] and known[2] == run then return { known[1], now - tonumber(known[3]), known[4] or '0', first[2] or '0' } end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'run', run, 'born', string.format('%.0f', now))
return { ARGV[1], 0, '0', first[2] or '0' }`;
