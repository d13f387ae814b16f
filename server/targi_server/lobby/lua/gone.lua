-- Whether a bot left by itself while an offer had one of its places, and did not come back.
--
-- KEYS[1]  slots   HASH  offer -> place as JSON (see reserve.lua)
-- KEYS[2]  online  HASH  bot -> session as JSON (see claim.lua)
-- ARGV     bot, offer
--
-- A session that a dead replica left is still there: then it is not known to be gone by itself.

local held = redis.call('HGET', KEYS[1], ARGV[2])
local left = held and cjson.decode(held).left
return left and redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0 and 1 or 0
