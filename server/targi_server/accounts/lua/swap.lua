-- Replaces the token of an account.
--
-- KEYS[1]  account  HASH  see account.lua
-- ARGV     SHA-256 of the new token, "" takes the token away
--
-- Returns the SHA-256 of the token that is invalid from now on, "" if there was none. The new one's is never
-- returned, also when this is sent twice.

local old = redis.call('HGET', KEYS[1], 'token')
if not old or old == ARGV[1] then
  return ''
end
redis.call('HSET', KEYS[1], 'token', ARGV[1])
return old
