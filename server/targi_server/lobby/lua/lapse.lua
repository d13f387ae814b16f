-- uses: clock
-- Ends an open offer that one bot declined, or whose time is over.
--
-- KEYS[1]  offer  HASH  see open.lua, ready.lua; then "fault0" and "fault1" (1 or 0), "words", "ended" (ms)
-- KEYS[2]  due    ZSET  offer that is not done with -> when to look after it, ms
-- ARGV     offer, seat that declined ("" when the time is over), words, time after which somebody else goes on (ms)
--
-- Returns the state after it. An open offer whose time is not over stays open; of one whose time is over, those
-- who were not ready are at fault.

local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'open' then
  return state or 'none'
end
local now = now_ms()
if ARGV[2] == '' and now <= tonumber(redis.call('HGET', KEYS[1], 'expires')) then
  return state
end
for seat = 0, 1 do
  local absent = redis.call('HEXISTS', KEYS[1], 'nonce' .. seat) == 0
  local fault = ARGV[2] == tostring(seat) or (ARGV[2] == '' and absent)
  redis.call('HSET', KEYS[1], 'fault' .. seat, fault and 1 or 0)
end
redis.call('HSET', KEYS[1], 'state', 'lapsed', 'words', ARGV[3], 'ended', int(now))
redis.call('ZADD', KEYS[2], now + tonumber(ARGV[4]), ARGV[1])
return 'lapsed'
