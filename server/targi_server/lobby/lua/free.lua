-- uses: clock
-- Gives back the place that a bot had reserved for an offer that came to nothing.
--
-- KEYS[1]  slots   HASH  offer -> place as JSON (see reserve.lua)
-- KEYS[2]  faults  ZSET  "offer <id>" for each offer that the bot did not take -> when, ms
-- ARGV     offer, 1 if it was this bot's fault, most faults that are kept
--
-- A place that has a match stays. The fault is counted once, whoever repeats this.

local held = redis.call('HGET', KEYS[1], ARGV[1])
if held and cjson.decode(held).match == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
end
if ARGV[2] == '1' then
  local now = now_ms()
  redis.call('ZADD', KEYS[2], now, 'offer ' .. ARGV[1])
  redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - tonumber(ARGV[3]))
end
return 1
