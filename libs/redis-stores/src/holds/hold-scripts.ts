import { KEEP } from './reserve-script';

/**
 * The scripts of the hold store. Every key they touch is declared, and all keys of one call share the organization's
 * hash tag, so that they run in a cluster. Per scope a hash (`generation`, `base`, `version`, `settled`, `open`, `due`, before which
 * no open hold expires, and `o:<hold>` or `s:<hold>` with its amount) and a sorted set of the open holds by their expiry on the
 * server's clock. Of a rolling window, what is taken in the earlier steps together is kept as well (see `RESERVE`).
 *
 * Amounts are integers as text, of money in nano-dollars: stored and added as 64-bit integers (up to 9.2 thousand million dollars),
 * compared as Lua's doubles, which are exact up to nine million dollars; above, `taken` is rounded up by more than a
 * comparison can be wrong. `-0` is no integer to the server: nothing is never subtracted.
 */

/** What was added up of steps that one of them is among is not right any more. */
const FORGET_SUM = `
local function forget_sum(series, start)
  local known = redis.call('HGET', series, 'start')
  if known and tonumber(known) > tonumber(start) then redis.call('HDEL', series, 'sum') end
end`;

/**
 * KEYS: of each scope hash, expiries and, of a step, the hash of all steps. ARGV: hold, ttl, then of each scope its amount, the life of
 * its keys and its start (`-`: it is no step).
 */
export const RENEW = `${KEEP}${FORGET_SUM}
local time = redis.call('TIME')
local expiry = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[2])
local key = 1
for i = 3, #ARGV, 3 do
  local hash, expiries, start = KEYS[key], KEYS[key + 1], ARGV[i + 2]
  local known = redis.call('HMGET', hash, 's:' .. ARGV[1], 'due')
  if not known[1] then
    if redis.call('HSETNX', hash, 'o:' .. ARGV[1], ARGV[i]) == 1 then
      redis.call('HINCRBY', hash, 'open', ARGV[i])
      if start ~= '-' then forget_sum(KEYS[key + 2], start) end
    end
    redis.call('ZADD', expiries, expiry, ARGV[1])
    if not known[2] or expiry < tonumber(known[2]) then redis.call('HSET', hash, 'due', string.format('%.0f', expiry)) end
    keep(hash, ARGV[i + 1])
    keep(expiries, ARGV[i + 1])
  end
  key = key + (start == '-' and 2 or 3)
end
return 1`;

/**
 * KEYS: of each scope hash, expiries and, of a step, the hash of all steps. ARGV: one text: hold, 1 to enter what is not known, then of
 * each scope what was spent, the life of its keys and its start (`-`: it is no step).
 */
export const SETTLE = `${KEEP}${FORGET_SUM}
local call, words = redis.call, {}
for word in string.gmatch(ARGV[1], '%S+') do words[#words + 1] = word end
local open_field, key = 'o:' .. words[1], 1
local function add_to_sum(series, start, spent, held)
  local known = call('HMGET', series, 'start', 'first', 'sum')
  if not known[3] or tonumber(known[1]) <= start or start < tonumber(known[2]) then return end
  if spent ~= '0' then call('HINCRBY', series, 'sum', spent) end
  if held ~= '0' then call('HINCRBY', series, 'sum', '-' .. held) end
end
for i = 3, #words, 3 do
  local hash, spent, start = KEYS[key], words[i], words[i + 2]
  local held = call('HGET', hash, open_field)
  local enters = held or (words[2] == '1' and call('HEXISTS', hash, 's:' .. words[1]) == 0)
  if held then
    call('HDEL', hash, open_field)
    if held ~= '0' then call('HINCRBY', hash, 'open', '-' .. held) end
    call('ZREM', KEYS[key + 1], words[1])
  end
  if enters and spent ~= '0' then
    call('HSET', hash, 's:' .. words[1], spent)
    call('HINCRBY', hash, 'settled', spent)
    if words[2] == '1' then keep(hash, words[i + 1]) end
  end
  if enters and start ~= '-' then add_to_sum(KEYS[key + 2], tonumber(start), spent, held or '0') end
  key = key + (start == '-' and 2 or 3)
end
return 1`;

/** Versions are compared as decimal text: they may be too large for a double to be exact. */
const RAISE_BASE = `${KEEP}${FORGET_SUM}
local version = redis.call('HGET', KEYS[1], 'version')
local is_changed = not version or #ARGV[2] > #version or (#ARGV[2] == #version and ARGV[2] > version)
if is_changed then redis.call('HSET', KEYS[1], 'base', ARGV[1], 'version', ARGV[2]) end
keep(KEYS[1], ARGV[3])
keep(KEYS[2], ARGV[3])`;

/** KEYS: of one scope hash, expiries and, of a step, the hash of all steps. ARGV: base, version, life of its keys, start, generation. */
export const SEED = `${RAISE_BASE}
redis.call('HSET', KEYS[1], 'generation', ARGV[5])
if is_changed and ARGV[4] ~= '-' then forget_sum(KEYS[3], ARGV[4]) end
return 1`;

/** KEYS: as above. ARGV: base, version, life of its keys, start, then holds. */
export const CONFIRM = `${RAISE_BASE}
for i = 5, #ARGV do
  local held = redis.call('HGET', KEYS[1], 'o:' .. ARGV[i])
  if held then
    is_changed = true
    redis.call('HDEL', KEYS[1], 'o:' .. ARGV[i])
    if held ~= '0' then redis.call('HINCRBY', KEYS[1], 'open', '-' .. held) end
    redis.call('ZREM', KEYS[2], ARGV[i])
  end
  local settled = redis.call('HGET', KEYS[1], 's:' .. ARGV[i])
  if settled then
    is_changed = true
    redis.call('HDEL', KEYS[1], 's:' .. ARGV[i])
    redis.call('HINCRBY', KEYS[1], 'settled', '-' .. settled)
  end
end
if is_changed and ARGV[4] ~= '-' then forget_sum(KEYS[3], ARGV[4]) end
return 1`;

/**
 * KEYS: the generation. ARGV: the server's run id, an id for a new generation. A server that was started anew, or
 * emptied, may have lost the last operations: that begins a new generation. Returns its id and its age in milliseconds.
 */
export const LEARN_GENERATION = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('HMGET', KEYS[1], 'id', 'run', 'born')
if known[1] and known[2] == ARGV[1] then return { known[1], now - tonumber(known[3]) } end
redis.call('HSET', KEYS[1], 'id', ARGV[2], 'run', ARGV[1], 'born', string.format('%.0f', now))
return { ARGV[2], 0 }`;

/**
 * KEYS: writers by their last report. ARGV: writer, for how long silent ones are kept, as of when it reports (empty: it only enrols).
 * Returns the time and how many silent ones there were.
 */
export const REPORT_WRITER = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[3] == '' then redis.call('ZADD', KEYS[1], 'NX', now, ARGV[1]) else redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1]) end
return { now, redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - tonumber(ARGV[2]))) }`;
