-- uses: clock
-- Notes that one bot is ready; the second one makes the offer agreed.
--
-- KEYS[1]  offer  HASH  see open.lua; per seat of game 1 "nonce0" (hex), "version0", "chained0" (1 or
--                  0); then "agreed" (ms)
-- KEYS[2]  due    ZSET  offer that is not done with -> when to look after it, ms
-- ARGV     offer, seat, nonce, version, chained, time after which somebody else starts the match (ms)
--
-- Returns the state: open, agreed, started or lapsed; late for an open one whose time is over; other if the seat
-- gave another nonce before; none if there is no such offer. Repeating a Ready changes nothing.

local state = redis.call('HGET', KEYS[1], 'state')
if not state then
  return 'none'
end
local nonce = redis.call('HGET', KEYS[1], 'nonce' .. ARGV[2])
if nonce then
  return nonce == ARGV[3] and state or 'other'
end
if state ~= 'open' then
  return state
end
local now = now_ms()
if now > tonumber(redis.call('HGET', KEYS[1], 'expires')) then
  return 'late'
end
redis.call('HSET', KEYS[1], 'nonce' .. ARGV[2], ARGV[3], 'version' .. ARGV[2], ARGV[4], 'chained' .. ARGV[2], ARGV[5])
if redis.call('HEXISTS', KEYS[1], 'nonce' .. (1 - ARGV[2])) == 0 then
  return 'open'
end
redis.call('HSET', KEYS[1], 'state', 'agreed', 'agreed', int(now))
redis.call('ZADD', KEYS[2], now + tonumber(ARGV[6]), ARGV[1])
return 'agreed'
