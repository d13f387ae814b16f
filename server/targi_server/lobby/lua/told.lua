-- Notes that a bot was told the end of a match, before or after the match was filed.
--
-- KEYS[1]  slots  HASH  offer -> place as JSON (see reserve.lua)
-- KEYS[2]  ends   ZSET  finished match that the bot was not told of -> when it was filed, ms
-- ARGV     match

if redis.call('ZREM', KEYS[2], ARGV[1]) == 1 then
  return 1
end
local all = redis.call('HGETALL', KEYS[1])
for n = 1, #all, 2 do
  local place = all[n]:sub(1, 6) ~= 'fence:' and cjson.decode(all[n + 1])
  if place and place.match == ARGV[1] then
    place.told = ARGV[1]
    redis.call('HSET', KEYS[1], all[n], cjson.encode(place))
    return 1
  end
end
return 0
