/** How long keys last: until a moment, `+` so long after each use, or 0 for ever. */
export const KEEP = `
local function keep(key, life)
  if life == '0' then return end
  if string.byte(life) == 43 then redis.call('PEXPIRE', key, string.sub(life, 2)) else redis.call('PEXPIREAT', key, life) end
end`;

/**
 * KEYS: of each limit, hash and expiries of its scope; of a rolling window the hash of its earlier steps together; then hash and
 * expiries of each of these, where all are asked about. ARGV: one text of words: hold, ttl, reported, generation, 1 to be shown what is
 * left, 1 where all steps are asked about, number of limits; amount and least of each; then of each its maximum (`-`: it only counts),
 * life of its keys, kind, start of its step (`-`: it has none), start of the first earlier step, and their number. Kinds are `usd`,
 * `now` for what runs at a moment, and any other text. Returns 1 when all of the amounts are held: a number is the fastest to parse; 2
 * when all steps have to be asked about.
 *
 * What is taken in all earlier steps is added up once and kept as `sum`, until the first of the open holds in them expires (`due`):
 * who changes one of them afterwards changes the sum, or removes it.
 */
export const RESERVE = `${KEEP}
local call, asked = redis.call, {}
for word in string.gmatch(ARGV[1], '%S+') do asked[#asked + 1] = word end
local hold, generation, is_whole, n = asked[1], asked[4], asked[6] == '1', tonumber(asked[7])
local rest = 2 + 2 * n
local open_field = 'o:' .. hold
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local at, heads, series, steps, unseeded, is_known, key, place = {}, {}, {}, {}, {}, true, 1, 0
for i = 1, n do
  local words = rest + 6 * i
  local start, first, earlier = asked[words + 3], asked[words + 4], tonumber(asked[words + 5])
  local head = call('HMGET', KEYS[key], 'generation', 'base', 'settled', 'open', 'due', open_field)
  at[i], heads[i] = key, head
  key, place = key + 2, place + 1
  if head[1] ~= generation then unseeded[#unseeded + 1] = place end
  if start ~= '-' then
    local known = call('HMGET', KEYS[key], 'start', 'first', 'generation', 'sum', 'due')
    known.key, series[i] = KEYS[key], known
    key = key + 1
    known.fits = known[1] == start and known[2] == first and known[3] == generation and known[4] and now < tonumber(known[5])
    if earlier > 0 and not known.fits and not is_whole then is_known = false end
  end
  if earlier > 0 and (is_whole or start == '-') then
    steps[i] = {}
    for k = key, key + 2 * earlier - 2, 2 do
      local step = call('HMGET', KEYS[k], 'generation', 'base', 'settled', 'open', 'due')
      place = place + 1
      if step[1] ~= generation then unseeded[#unseeded + 1] = place end
      step.key = k
      steps[i][#steps[i] + 1] = step
    end
    key = key + 2 * earlier
  end
end
if not is_known then return 2 end
if #unseeded > 0 then return { -1, unpack(unseeded) } end
if heads[1][6] then
  local held = { 1 }
  for i = 1, n do held[i + 1] = heads[i][6] or asked[6 + 2 * i] end
  return held
end
local function give_back(head, k, kind)
  local open = tonumber(head[4] or '0')
  if not head[5] or now <= tonumber(head[5]) then return open end
  local before = now
  if kind ~= 'now' then before = math.min(now, tonumber(asked[3])) end
  for _, id in ipairs(call('ZRANGEBYSCORE', KEYS[k + 1], '-inf', '(' .. string.format('%.0f', before), 'LIMIT', 0, 64)) do
    local held = call('HGET', KEYS[k], 'o:' .. id)
    call('ZREM', KEYS[k + 1], id)
    if held then
      call('HDEL', KEYS[k], 'o:' .. id)
      if held ~= '0' then open = call('HINCRBY', KEYS[k], 'open', '-' .. held) end
    end
  end
  head[5] = call('ZRANGE', KEYS[k + 1], 0, 0, 'WITHSCORES')[2]
  if head[5] then call('HSET', KEYS[k], 'due', head[5]) else call('HDEL', KEYS[k], 'due') end
  return open
end
local function add_up(i, words)
  local sum, due = 0, 9007199254740992
  for _, step in ipairs(steps[i]) do
    sum = sum + tonumber(step[2]) + tonumber(step[3] or '0') + give_back(step, step.key, asked[words + 2])
    if step[5] then due = math.min(due, math.max(now + 1000, tonumber(step[5]))) end
  end
  local known, start = series[i], asked[words + 3]
  if known and sum < 9007199254740992 and not (known[1] and tonumber(known[1]) > tonumber(start)) then
    call('HSET', known.key, 'start', start, 'first', asked[words + 4], 'generation', generation,
      'sum', string.format('%.0f', sum), 'due', string.format('%.0f', due))
    keep(known.key, asked[words + 1])
  end
  return sum
end
local left, least_left, refusing, opens = {}, {}, nil, {}
for i = 1, n do
  local words, head, known = rest + 6 * i, heads[i], series[i]
  local kind = asked[words + 2]
  opens[i] = give_back(head, at[i], kind)
  local taken = tonumber(head[2]) + tonumber(head[3] or '0') + opens[i]
  if steps[i] then taken = taken + add_up(i, words) elseif known and known.fits then taken = taken + tonumber(known[4]) end
  if known and known[1] and tonumber(known[1]) > tonumber(asked[words + 3]) then call('HDEL', known.key, 'sum') end
  if taken > 9007199254740992 then taken = taken * (1 + 2 ^ -50) end
  if asked[words] ~= '-' then
    left[i] = tonumber(asked[words]) - taken
    if not least_left[kind] or left[i] < least_left[kind] then least_left[kind] = left[i] end
    if left[i] < tonumber(asked[7 + 2 * i]) then
      if not refusing or (kind == 'usd' and asked[rest + 6 * refusing + 2] == 'usd' and left[i] < left[refusing]) then refusing = i end
    end
  end
end
if refusing then return { 0, refusing, string.format('%.0f', left[refusing]) } end
local answer, is_cut = { 1 }, false
local ends = string.format('%.0f', now + tonumber(asked[2]))
for i = 1, n do
  local words, head = rest + 6 * i, heads[i]
  local amount, most = asked[6 + 2 * i], least_left[asked[words + 2]]
  if most and most < tonumber(amount) then
    is_cut = true
    if most < tonumber(asked[7 + 2 * i]) then amount = asked[7 + 2 * i] else amount = string.format('%.0f', math.floor(most)) end
  end
  answer[i + 1] = amount
  local hash, expiries = KEYS[at[i]], KEYS[at[i] + 1]
  local open = opens[i] + tonumber(amount)
  if head[6] or open > 9007199254740992 then
    if call('HSETNX', hash, open_field, amount) == 1 then call('HINCRBY', hash, 'open', amount) end
  else
    call('HSET', hash, open_field, amount, 'open', string.format('%.0f', open))
  end
  if not head[5] or tonumber(ends) < tonumber(head[5]) then call('HSET', hash, 'due', ends) end
  call('ZADD', expiries, ends, hold)
  local life = asked[words + 1]
  if string.byte(life) == 43 then keep(hash, life) keep(expiries, life) elseif opens[i] == 0 then keep(expiries, life) end
end
if asked[5] == '1' then
  for i = 1, n do answer[n + 1 + i] = left[i] and string.format('%.0f', left[i] - tonumber(answer[i + 1])) or '' end
elseif not is_cut then
  return 1
end
return answer`;
