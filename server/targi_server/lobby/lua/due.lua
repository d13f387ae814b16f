-- uses: clock
-- Offers of one bucket that somebody has to look after.
--
-- KEYS[1]  due  ZSET  offer that is not done with -> when to look after it, ms
-- ARGV     most offers wanted

local now = int(now_ms())
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
