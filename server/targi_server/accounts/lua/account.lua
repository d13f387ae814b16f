-- uses: clock
-- Makes an account, unless the name is taken.
--
-- KEYS[1]  account  HASH  "token" -> SHA-256 of its token (hex, "" for none), "owner", "created" (ms); of a bot
--                         also "retired" (1) and "banned" (why)
-- ARGV     SHA-256 of the first token, owner
--
-- Returns 1 if the account is there with this token (a repetition is no error), else 0.

local token = redis.call('HGET', KEYS[1], 'token')
if token then
  return token == ARGV[1] and 1 or 0
end
local now = int(now_ms())
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'owner', ARGV[2], 'created', now)
return 1
