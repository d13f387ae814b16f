-- uses: clock
-- The record of a filed match is in the archive directory: from now on it is kept no longer than others.
--
-- KEYS[1]  unexported  ZSET    filed match whose record is not exported yet -> its end, ms
-- KEYS[2]  done        STRING  what is kept of it, with a time to live
-- ARGV     match id, seconds for which matches are kept after their end
--
-- Returns 1, or 0 if that was noted before.

local ended = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not ended then
  return 0
end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[2], int(math.max(1, ended + ARGV[2] * 1000 - now_ms())))
return 1
