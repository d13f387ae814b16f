-- uses: clock
-- Reads an offer.
--
-- KEYS[1]  offer  HASH  see open.lua, ready.lua, lapse.lua
--
-- Returns {time in ms, fields and values}.

local now = now_ms()
return {int(now), redis.call('HGETALL', KEYS[1])}
