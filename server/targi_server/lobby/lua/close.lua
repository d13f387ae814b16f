-- Closes an offer with which everything is done: its match runs, it lapsed, or its games are over.
--
-- KEYS[1]  offer   HASH  see open.lua
-- KEYS[2]  due     ZSET  offer that is not done with -> when to look after it, ms
-- KEYS[3]  lapsed  ZSET  published offer as JSON -> when it ended, ms
-- ARGV     offer, state that it has, its state from now on, time for which it can still be read (s, 0: for ever),
--          publication as JSON ("" for none), time of its end (ms), most publications that are kept
--
-- Returns 1, or 0 if somebody did it before: nothing changed.

if redis.call('HGET', KEYS[1], 'state') ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], 'state', ARGV[3])
local open = redis.call('ZREM', KEYS[2], ARGV[1])
if ARGV[2] == ARGV[3] and open == 0 then
  return 0
end
if ARGV[4] ~= '0' then
  redis.call('EXPIRE', KEYS[1], ARGV[4])
end
if ARGV[5] ~= '' then
  redis.call('ZADD', KEYS[3], 'NX', ARGV[6], ARGV[5])
  redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -1 - tonumber(ARGV[7]))
end
return 1
