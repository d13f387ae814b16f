-- uses: clock
-- Reserves one of a bot's places for an offer.
--
-- KEYS[1]  slots   HASH  offer -> place as JSON {match, until (ms, 0 once seated), told,
--                        left (see left.lua), by (owner that challenged it, if that is another)};
--                        "fence:" and edition of the rules -> highest token of its matchmakers
-- KEYS[2]  online  HASH  bot -> session as JSON (see claim.lua)
-- KEYS[3]  account HASH  "retired" -> 1 once nothing new may start, "banned" -> why, while it may not play
-- ARGV     bot, offer, token of the matchmaker (0: the caller is none), expiry (ms), most places a bot may have,
--          edition of the rules by which it is dealt,
--          owner of the challenger if that is not the bot's own, else '', part of its places that a bot on the ladder
--          keeps from challenges of others (percent), most challenges of one owner
--
-- Returns the time of the reservation in ms, 0 if the bot is away, leaving, retired, banned, full, or connected
-- where that edition is not played, -1 for an old token, -2 if it has no place for challenges of others, -3 if this
-- owner has as many as it may.

local bot, offer, token, expiry = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local fence = 'fence:' .. ARGV[6]
local now = now_ms()

if token > 0 then
  if token < tonumber(redis.call('HGET', KEYS[1], fence) or 0) then
    return -1
  end
  redis.call('HSET', KEYS[1], fence, ARGV[3])
end
local held = redis.call('HGET', KEYS[2], bot)
local session = held and cjson.decode(held)
local retired, banned = unpack(redis.call('HMGET', KEYS[3], 'retired', 'banned'))
if not session or session.leaving or session.edition ~= ARGV[6] or retired == '1' or banned then
  return 0
end

local CHALLENGER, KEEPS, OF_ONE = ARGV[7], tonumber(ARGV[8]), tonumber(ARGV[9])
local used, foreign, same, all = 0, 0, 0, redis.call('HGETALL', KEYS[1])
for n = 1, #all, 2 do
  if all[n]:sub(1, 6) ~= 'fence:' then
    local place = cjson.decode(all[n + 1])
    if place['until'] > 0 and place['until'] < now then
      redis.call('HDEL', KEYS[1], all[n])
    elseif all[n] ~= offer then
      used = used + 1
      foreign = foreign + (place.by and 1 or 0)
      same = same + (place.by == CHALLENGER and 1 or 0)
    end
  end
end
local capacity = math.min(session.capacity, tonumber(ARGV[5]))
if used >= capacity then
  return 0
elseif CHALLENGER ~= '' then
  local kept = session.ladder and KEEPS > 0 and math.max(1, math.ceil(capacity * KEEPS / 100)) or 0
  if same >= OF_ONE then
    return -3
  elseif foreign >= capacity - kept then
    return -2
  end
end
local place = {match = '', told = '', by = CHALLENGER ~= '' and CHALLENGER or nil}
place['until'] = now + expiry
redis.call('HSET', KEYS[1], offer, cjson.encode(place))
return int(now)
