/**
 * The scripts of the hold store. Every key they touch is declared, and all keys of one call share the organization's
 * hash tag, so that they run in a cluster. Per scope a hash (`generation`, `base`, `version`, `settled`, `open`, and
 * `o:<hold>` or `s:<hold>` with its amount) and a sorted set of the open holds by their expiry on the server's clock.
 *
 * Amounts are integer nano-dollars as text: stored and added as 64-bit integers (up to 9.2 thousand million dollars),
 * compared as Lua's doubles, which are exact up to nine million dollars; above, `taken` is rounded up by more than a
 * comparison can be wrong.
 */

/**
 * KEYS: hash and expiries of each scope. ARGV: one text of words: hold, amount, least, ttl, reported, generation, then
 * limit and key expiry of each scope. Returns 1 when all of the amount is held: a number is the fastest to parse.
 */
export const RESERVE = `
local asked = {}
for word in string.gmatch(ARGV[1], '%S+') do asked[#asked + 1] = word end
local n = #KEYS / 2
local heads, unseeded = {}, {}
for i = 1, n do
  heads[i] = redis.call('HMGET', KEYS[2 * i - 1], 'generation', 'base', 'settled', 'open')
  if heads[i][1] ~= asked[6] then unseeded[#unseeded + 1] = i end
end
if #unseeded > 0 then return { -1, unpack(unseeded) } end
local open_field = 'o:' .. asked[1]
local before = redis.call('HGET', KEYS[1], open_field)
if before then return { 1, before } end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = '(' .. string.format('%.0f', math.min(now, tonumber(asked[5])))
local tightest, left
for i = 1, n do
  local hash, expiries = KEYS[2 * i - 1], KEYS[2 * i]
  local open = tonumber(heads[i][4] or '0')
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', expiries, '-inf', due, 'LIMIT', 0, 64)) do
    local held = redis.call('HGET', hash, 'o:' .. id)
    redis.call('ZREM', expiries, id)
    if held then
      redis.call('HDEL', hash, 'o:' .. id)
      open = redis.call('HINCRBY', hash, 'open', '-' .. held)
    end
  end
  local taken = tonumber(heads[i][2]) + tonumber(heads[i][3] or '0') + open
  if taken > 9007199254740992 then taken = taken * (1 + 2 ^ -50) end
  local remaining = tonumber(asked[5 + 2 * i]) - taken
  if left == nil or remaining < left then tightest, left = i, remaining end
end
if left < tonumber(asked[3]) then return { 0, tightest, string.format('%.0f', left) } end
local amount, answer = asked[2], 1
if left < tonumber(amount) then
  amount = string.format('%.0f', math.floor(left))
  answer = { 1, amount }
end
for i = 1, n do
  local hash, expiries = KEYS[2 * i - 1], KEYS[2 * i]
  redis.call('HSET', hash, open_field, amount)
  redis.call('HINCRBY', hash, 'open', amount)
  redis.call('ZADD', expiries, now + tonumber(asked[4]), asked[1])
  if asked[6 + 2 * i] ~= '0' and redis.call('ZCARD', expiries) == 1 then redis.call('PEXPIREAT', expiries, asked[6 + 2 * i]) end
end
return answer`;

/** KEYS: hash and expiries of each scope. ARGV: hold, amount, ttl. */
export const RENEW = `
local time = redis.call('TIME')
local expiry = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[3])
for i = 1, #KEYS, 2 do
  if redis.call('HEXISTS', KEYS[i], 's:' .. ARGV[1]) == 0 then
    if redis.call('HSETNX', KEYS[i], 'o:' .. ARGV[1], ARGV[2]) == 1 then redis.call('HINCRBY', KEYS[i], 'open', ARGV[2]) end
    redis.call('ZADD', KEYS[i + 1], expiry, ARGV[1])
  end
end
return 1`;

/** KEYS: hash and expiries of each scope. ARGV: one text: hold, 1 to enter what is not known, then what was spent in each scope. */
export const SETTLE = `
local words = {}
for word in string.gmatch(ARGV[1], '%S+') do words[#words + 1] = word end
for i = 1, #KEYS, 2 do
  local held = redis.call('HGET', KEYS[i], 'o:' .. words[1])
  local spent = words[2 + (i + 1) / 2]
  local enters = words[2] == '1' and redis.call('HEXISTS', KEYS[i], 's:' .. words[1]) == 0
  if held then
    redis.call('HDEL', KEYS[i], 'o:' .. words[1])
    redis.call('HINCRBY', KEYS[i], 'open', '-' .. held)
    redis.call('ZREM', KEYS[i + 1], words[1])
    enters = true
  end
  if enters and spent ~= '0' then
    redis.call('HSET', KEYS[i], 's:' .. words[1], spent)
    redis.call('HINCRBY', KEYS[i], 'settled', spent)
  end
end
return 1`;

/** Versions are compared as decimal text: they may be too large for a double to be exact. */
const RAISE_BASE = `
local version = redis.call('HGET', KEYS[1], 'version')
if not version or #ARGV[2] > #version or (#ARGV[2] == #version and ARGV[2] > version) then
  redis.call('HSET', KEYS[1], 'base', ARGV[1], 'version', ARGV[2])
end
if ARGV[3] ~= '0' then redis.call('PEXPIREAT', KEYS[1], ARGV[3]) end`;

/** KEYS: hash of one scope. ARGV: base, version, key expiry, generation. */
export const SEED = `${RAISE_BASE}
redis.call('HSET', KEYS[1], 'generation', ARGV[4])
return 1`;

/** KEYS: hash and expiries of one scope. ARGV: base, version, key expiry, then holds. */
export const CONFIRM = `${RAISE_BASE}
for i = 4, #ARGV do
  local held = redis.call('HGET', KEYS[1], 'o:' .. ARGV[i])
  if held then
    redis.call('HDEL', KEYS[1], 'o:' .. ARGV[i])
    redis.call('HINCRBY', KEYS[1], 'open', '-' .. held)
    redis.call('ZREM', KEYS[2], ARGV[i])
  end
  local settled = redis.call('HGET', KEYS[1], 's:' .. ARGV[i])
  if settled then
    redis.call('HDEL', KEYS[1], 's:' .. ARGV[i])
    redis.call('HINCRBY', KEYS[1], 'settled', '-' .. settled)
  end
end
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

/** KEYS: writers by their last report. ARGV: writer, NX to enrol or CH to report, for how long silent ones are kept. */
export const REPORT_WRITER = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], ARGV[2], now, ARGV[1])
return redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - tonumber(ARGV[3])))`;
