-- uses: clock
-- What a bot holds; reservations whose time is over are dropped.
--
-- KEYS[1]  slots  HASH  offer -> place as JSON (see reserve.lua)
-- KEYS[2]  ends   ZSET  finished match that the bot was not told of -> when it was filed, ms
--
-- Returns {offers with a reservation, running matches, ends from the oldest, offers of the running matches}.

local now = now_ms()
local offers, matches, places = {}, {}, {}
local all = redis.call('HGETALL', KEYS[1])
for n = 1, #all, 2 do
  if all[n]:sub(1, 6) ~= 'fence:' then
    local place = cjson.decode(all[n + 1])
    if place.match ~= '' then
      matches[#matches + 1] = place.match
      places[#places + 1] = all[n]
    elseif place['until'] < now then
      redis.call('HDEL', KEYS[1], all[n])
    else
      offers[#offers + 1] = all[n]
    end
  end
end
return {offers, matches, redis.call('ZRANGE', KEYS[2], 0, -1), places}
