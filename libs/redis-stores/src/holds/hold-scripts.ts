/**
 * The scripts of the hold store. Every key they touch is declared, and all keys of one call share the organization's
 * hash tag, so that they run in a cluster. Per scope a hash (`generation`, `base`, `version`, `settled`, `open`, and
 * `o:<hold>` or `s:<hold>` with its amount) and a sorted set of the open holds by their expiry on the server's clock.
 *
 * Amounts are integers as text, of money in nano-dollars: stored and added as 64-bit integers (up to 9.2 thousand million dollars),
 * compared as Lua's doubles, which are exact up to nine million dollars; above, `taken` is rounded up by more than a
 * comparison can be wrong. `-0` is no integer to the server: nothing is never subtracted.
 */

/** How long keys last: until a moment, `+` so long after each use, or 0 for ever. */
const KEEP = `
local function keep(key, life)
  if life == '0' then return end
  if string.byte(life) == 43 then redis.call('PEXPIRE', key, string.sub(life, 2)) else redis.call('PEXPIREAT', key, life) end
end`;

/**
 * KEYS: of each limit, hash and expiries of its scope and of the earlier steps of its window. ARGV: one text of words: hold, ttl,
 * reported, generation, 1 to be shown what is left, number of limits; amount and least of each; then of each its maximum (`-`:
 * it only counts), life of its keys, kind and number of earlier steps. Kinds are `usd`, `now` for what runs at a moment, and any
 * other text. Returns 1 when all of the amounts are held: a number is the fastest to parse.
 */
export const RESERVE = `${KEEP}
local asked = {}
for word in string.gmatch(ARGV[1], '%S+') do asked[#asked + 1] = word end
local n = tonumber(asked[6])
local rest = 2 + 2 * n
local at, heads, unseeded, key = {}, {}, {}, 1
for i = 1, n do
  at[i] = key
  for k = key, key + 2 * asked[rest + 4 * i + 4], 2 do
    heads[k] = redis.call('HMGET', KEYS[k], 'generation', 'base', 'settled', 'open')
    if heads[k][1] ~= asked[4] then unseeded[#unseeded + 1] = (k + 1) / 2 end
    key = k + 2
  end
end
if #unseeded > 0 then return { -1, unpack(unseeded) } end
local open_field = 'o:' .. asked[1]
if redis.call('HEXISTS', KEYS[1], open_field) == 1 then
  local held = { 1 }
  for i = 1, n do held[i + 1] = redis.call('HGET', KEYS[at[i]], open_field) or asked[5 + 2 * i] end
  return held
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = '(' .. string.format('%.0f', math.min(now, tonumber(asked[3])))
local due_now = '(' .. string.format('%.0f', now)
local left, least_left, refusing, was_idle, NONE = {}, {}, nil, {}, {}
for i = 1, n do
  local words = rest + 4 * i
  local kind = asked[words + 3]
  local taken = 0
  for k = at[i], at[i] + 2 * asked[words + 4], 2 do
    local open = tonumber(heads[k][4] or '0')
    local expired = NONE
    if open ~= 0 then expired = redis.call('ZRANGEBYSCORE', KEYS[k + 1], '-inf', kind == 'now' and due_now or due, 'LIMIT', 0, 64) end
    for _, id in ipairs(expired) do
      local held = redis.call('HGET', KEYS[k], 'o:' .. id)
      redis.call('ZREM', KEYS[k + 1], id)
      if held then
        redis.call('HDEL', KEYS[k], 'o:' .. id)
        if held ~= '0' then open = redis.call('HINCRBY', KEYS[k], 'open', '-' .. held) end
      end
    end
    if k == at[i] then was_idle[i] = open == 0 end
    taken = taken + tonumber(heads[k][2]) + tonumber(heads[k][3] or '0') + open
  end
  if taken > 9007199254740992 then taken = taken * (1 + 2 ^ -50) end
  if asked[words + 1] ~= '-' then
    left[i] = tonumber(asked[words + 1]) - taken
    if not least_left[kind] or left[i] < least_left[kind] then least_left[kind] = left[i] end
    if left[i] < tonumber(asked[6 + 2 * i]) then
      if not refusing or (kind == 'usd' and asked[rest + 4 * refusing + 3] == 'usd' and left[i] < left[refusing]) then refusing = i end
    end
  end
end
if refusing then return { 0, refusing, string.format('%.0f', left[refusing]) } end
local answer, is_cut = { 1 }, false
for i = 1, n do
  local words = rest + 4 * i
  local amount, most = asked[5 + 2 * i], least_left[asked[words + 3]]
  if most and most < tonumber(amount) then
    is_cut = true
    if most < tonumber(asked[6 + 2 * i]) then amount = asked[6 + 2 * i] else amount = string.format('%.0f', math.floor(most)) end
  end
  answer[i + 1] = amount
  local hash, expiries = KEYS[at[i]], KEYS[at[i] + 1]
  if redis.call('HSETNX', hash, open_field, amount) == 1 then redis.call('HINCRBY', hash, 'open', amount) end
  redis.call('ZADD', expiries, now + tonumber(asked[2]), asked[1])
  local life = asked[words + 2]
  if string.byte(life) == 43 then keep(hash, life) keep(expiries, life) elseif was_idle[i] then keep(expiries, life) end
end
if asked[5] == '1' then
  for i = 1, n do answer[n + 1 + i] = left[i] and string.format('%.0f', left[i] - tonumber(answer[i + 1])) or '' end
elseif not is_cut then
  return 1
end
return answer`;

/** KEYS: hash and expiries of each scope. ARGV: hold, ttl, then the amount of each, then the life of its keys. */
export const RENEW = `${KEEP}
local time = redis.call('TIME')
local expiry = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[2])
for i = 1, #KEYS, 2 do
  if redis.call('HEXISTS', KEYS[i], 's:' .. ARGV[1]) == 0 then
    local amount, life = ARGV[2 + (i + 1) / 2], ARGV[2 + (#KEYS + i + 1) / 2]
    if redis.call('HSETNX', KEYS[i], 'o:' .. ARGV[1], amount) == 1 then redis.call('HINCRBY', KEYS[i], 'open', amount) end
    redis.call('ZADD', KEYS[i + 1], expiry, ARGV[1])
    keep(KEYS[i], life)
    keep(KEYS[i + 1], life)
  end
end
return 1`;

/**
 * KEYS: hash and expiries of each scope. ARGV: one text: hold, 1 to enter what is not known, then what was spent in each scope;
 * where it is entered, then the life of each scope's keys.
 */
export const SETTLE = `${KEEP}
local words = {}
for word in string.gmatch(ARGV[1], '%S+') do words[#words + 1] = word end
for i = 1, #KEYS, 2 do
  local held = redis.call('HGET', KEYS[i], 'o:' .. words[1])
  local spent = words[2 + (i + 1) / 2]
  local enters = words[2] == '1' and redis.call('HEXISTS', KEYS[i], 's:' .. words[1]) == 0
  if held then
    redis.call('HDEL', KEYS[i], 'o:' .. words[1])
    if held ~= '0' then redis.call('HINCRBY', KEYS[i], 'open', '-' .. held) end
    redis.call('ZREM', KEYS[i + 1], words[1])
    enters = true
  end
  if enters and spent ~= '0' then
    redis.call('HSET', KEYS[i], 's:' .. words[1], spent)
    redis.call('HINCRBY', KEYS[i], 'settled', spent)
    if words[2] == '1' then keep(KEYS[i], words[2 + (#KEYS + i + 1) / 2]) end
  end
end
return 1`;

/** Versions are compared as decimal text: they may be too large for a double to be exact. */
const RAISE_BASE = `${KEEP}
local version = redis.call('HGET', KEYS[1], 'version')
if not version or #ARGV[2] > #version or (#ARGV[2] == #version and ARGV[2] > version) then
  redis.call('HSET', KEYS[1], 'base', ARGV[1], 'version', ARGV[2])
end
keep(KEYS[1], ARGV[3])
keep(KEYS[2], ARGV[3])`;

/** KEYS: hash and expiries of one scope. ARGV: base, version, life of its keys, generation. */
export const SEED = `${RAISE_BASE}
redis.call('HSET', KEYS[1], 'generation', ARGV[4])
return 1`;

/** KEYS: hash and expiries of one scope. ARGV: base, version, life of its keys, then holds. */
export const CONFIRM = `${RAISE_BASE}
for i = 4, #ARGV do
  local held = redis.call('HGET', KEYS[1], 'o:' .. ARGV[i])
  if held then
    redis.call('HDEL', KEYS[1], 'o:' .. ARGV[i])
    if held ~= '0' then redis.call('HINCRBY', KEYS[1], 'open', '-' .. held) end
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
