-- uses: clock
-- Opens an offer for which both bots have a place.
--
-- KEYS[1]  offer  HASH  terms and secrets as JSON in "data", and "state", "expires" (ms), "created" (ms)
-- KEYS[2]  due    ZSET  offer that is not done with -> when to look after it, ms
-- ARGV     offer, data, time of the earlier reservation (ms), longest time since then (ms), time to answer (ms)
--
-- Returns 1, or 0 if the reservations would end before the offer does.

if redis.call('EXISTS', KEYS[1]) == 1 then
  return 1
end
local now = now_ms()
if now - tonumber(ARGV[3]) > tonumber(ARGV[4]) then
  return 0
end
local created = int(now)
local expires = int(now + tonumber(ARGV[5]))
redis.call('HSET', KEYS[1], 'data', ARGV[2], 'state', 'open', 'created', created, 'expires', expires)
redis.call('ZADD', KEYS[2], expires, ARGV[1])
return 1
