-- Counts the result of one rated game, once.
--
-- KEYS[1]  games    HASH  pair whose first game is over -> {match, halves} of that game, as JSON
-- KEYS[2]  pairs    HASH  pair -> its result as JSON
-- KEYS[3]  recent   ZSET  pair -> its end, ms
-- KEYS[4]  counts   HASH  two players, a line each -> pairs by the first one's score in quarters, five numbers
-- KEYS[5]  heads    HASH  two bots, a line each -> the same
-- KEYS[6]  players  HASH  player -> its number in the order of appearance
-- KEYS[7]  totals   HASH  "matches", "pairs" (those that count), "revision" (rises whenever the counts change)
-- KEYS[8]  of bot   ZSET  pair of the bot on seat 0 of game 1 -> its end, ms
-- KEYS[9]  of bot   ZSET  the same for the other bot
-- ARGV     pair, match, score of the pair's first bot in this game in halves (0, 1, 2; "" for no contest),
--          end of the game (ms), pair as JSON without result, its players, its bots (first bot first),
--          1 if the first bot comes first in sorted order
--
-- A pair ends with its second result, or with the first game that is no contest; then it is void.
-- Returns 1 if the game was new, else 0.

local pair, match, halves, ended = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local held = redis.call('HGET', KEYS[1], pair)
local first_game = held and cjson.decode(held)
if redis.call('HEXISTS', KEYS[2], pair) == 1 or (first_game and first_game.match == match) then
  return 0
end
redis.call('HINCRBY', KEYS[7], 'matches', 1)
if halves ~= '' and not first_game then
  redis.call('HSET', KEYS[1], pair, cjson.encode({match = match, halves = tonumber(halves)}))
  return 1
end

-- Adds one to the number of pairs with this score, in the counters of two names in sorted order.
local function add(key, first, second, quarters)
  local two = first .. '\n' .. second
  if ARGV[10] ~= '1' then
    two, quarters = second .. '\n' .. first, 4 - quarters
  end
  local tally = {}
  for number in string.gmatch(redis.call('HGET', key, two) or '0 0 0 0 0', '%d+') do
    tally[#tally + 1] = tonumber(number) + (#tally == quarters and 1 or 0)
  end
  redis.call('HSET', key, two, table.concat(tally, ' '))
end

local result = cjson.decode(ARGV[5])
result.matches = first_game and {first_game.match, match} or {match}
result.void, result.ended, result.quarters = halves == '', tonumber(ended), 0
if not result.void then
  result.quarters = first_game.halves + tonumber(halves)
  for _, player in ipairs({ARGV[6], ARGV[7]}) do
    redis.call('HSETNX', KEYS[6], player, redis.call('HLEN', KEYS[6]))
  end
  add(KEYS[4], ARGV[6], ARGV[7], result.quarters)
  add(KEYS[5], ARGV[8], ARGV[9], result.quarters)
  redis.call('HINCRBY', KEYS[7], 'pairs', 1)
  redis.call('HINCRBY', KEYS[7], 'revision', 1)
end
redis.call('HDEL', KEYS[1], pair)
redis.call('HSET', KEYS[2], pair, cjson.encode(result))
for _, key in ipairs({KEYS[3], KEYS[8], KEYS[9]}) do
  redis.call('ZADD', key, ended, pair)
end
return 1
