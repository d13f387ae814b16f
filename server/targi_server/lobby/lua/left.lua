-- Notes on all places of a bot whether its last stream ended by the bot's own doing.
--
-- KEYS[1]  slots  HASH  offer -> place as JSON (see reserve.lua)
-- ARGV     1 if it ended by the bot's doing, 0 if by the server's
--
-- Returns its running matches, among them such as are only about to be created.

local matches = {}
local all = redis.call('HGETALL', KEYS[1])
for n = 1, #all, 2 do
  if all[n]:sub(1, 6) ~= 'fence:' then
    local place = cjson.decode(all[n + 1])
    place.left = ARGV[1] == '1'
    redis.call('HSET', KEYS[1], all[n], cjson.encode(place))
    if place.match ~= '' then
      matches[#matches + 1] = place.match
    end
  end
end
return matches
