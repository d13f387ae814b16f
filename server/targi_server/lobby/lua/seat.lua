-- uses: clock
-- Puts a match on the place that an offer has with a bot, or takes the place away.
--
-- KEYS[1]  slots  HASH  offer -> place as JSON (see reserve.lua)
-- KEYS[2]  ends   ZSET  finished match that the bot was not told of -> when it was filed, ms
-- ARGV     offer, match that is over ("" for none), match that starts ("" for none), most ends that are kept,
--          time for which they are kept (s)
--
-- A match that is over is noted among the ends unless the bot was told. Whoever repeats a step changes nothing:
-- the place no longer has the match that is over. A match that starts after none takes the place in any case,
-- also when the reservation is gone: both bots were ready.

local offer, over, starts = ARGV[1], ARGV[2], ARGV[3]
local held = redis.call('HGET', KEYS[1], offer)
local place = held and cjson.decode(held)
if over ~= '' then
  if not place or place.match ~= over then
    return 0
  end
  if place.told ~= over then
    local now = now_ms()
    redis.call('ZADD', KEYS[2], int(now), over)
    redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - tonumber(ARGV[4]))
    redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', int(now - ARGV[5] * 1000))
    redis.call('EXPIRE', KEYS[2], ARGV[5])
  end
end
if starts == '' then
  return redis.call('HDEL', KEYS[1], offer)
end
if place and place.match == starts then
  return 0
end
place = {match = starts, told = '', left = place and place.left, by = place and place.by}
place['until'] = 0
redis.call('HSET', KEYS[1], offer, cjson.encode(place))
return 1
