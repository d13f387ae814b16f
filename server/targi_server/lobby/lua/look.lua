-- Reads an offer.
--
-- KEYS[1]  offer  HASH  see open.lua, ready.lua, lapse.lua
--
-- Returns {time in ms, fields and values}.

local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
return {string.format('%.0f', now), redis.call('HGETALL', KEYS[1])}
