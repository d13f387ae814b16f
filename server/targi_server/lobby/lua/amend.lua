-- Changes some fields of the session that holds a bot, or gives the bot up.
--
-- KEYS[1]  online  HASH  bot -> session as JSON (see claim.lua)
-- ARGV     bot, fence of the claim, changed fields as JSON ("" removes the session), chain state that must be
--          current ("-" for any)
--
-- Returns 1, or 0 if a later claim holds the bot, nobody does, or the chain is elsewhere: nothing changed.

local held = redis.call('HGET', KEYS[1], ARGV[1])
if not held then
  return 0
end
local session = cjson.decode(held)
if session.fence ~= tonumber(ARGV[2]) or (ARGV[4] ~= '-' and session.chain ~= ARGV[4]) then
  return 0
end
if ARGV[3] == '' then
  return redis.call('HDEL', KEYS[1], ARGV[1])
end
for field, value in pairs(cjson.decode(ARGV[3])) do
  session[field] = value
end
redis.call('HSET', KEYS[1], ARGV[1], cjson.encode(session))
return 1
