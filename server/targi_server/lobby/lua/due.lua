-- Offers of one bucket that somebody has to look after.
--
-- KEYS[1]  due  ZSET  offer that is not done with -> when to look after it, ms
-- ARGV     most offers wanted

local clock = redis.call('TIME')
local now = string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
