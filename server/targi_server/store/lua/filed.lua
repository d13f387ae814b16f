-- uses: story
-- Keeps what is left of a match that was filed. KEYS: see parts/bucket.lua and parts/match.lua, and
--
-- KEYS[12]  unexported  ZSET  filed match whose record is not exported yet -> its end, ms (see exported.lua)
-- KEYS[13]  notes       HASH  ply -> what the bot said about its move
-- ARGV: match id, replica, prefix of the keys of matches, what is kept, seconds for which it is kept,
--       its end in ms if it is to be exported, else ''
-- Returns 1, or 0 if it was filed before. A match that runs is not touched: returns -1.

if redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  return -1
elseif redis.call('EXISTS', KEYS[6]) == 0 then
  return 0
end
redis.call('SET', KEYS[11], ARGV[4], 'EX', ARGV[5])
redis.call('DEL', KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[13], story_of(KEYS[7]))
if ARGV[6] ~= '' then
  redis.call('ZADD', KEYS[12], ARGV[6], ARGV[1])
  redis.call('EXPIRE', KEYS[12], ARGV[5] + 86400) -- outlives all that it names, and goes if nobody exports any more
end
redis.call('ZREM', KEYS[4], ARGV[1])
return 1
