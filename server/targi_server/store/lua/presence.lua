-- uses: judge replica
-- A bot arrives or departs. KEYS: see parts/bucket.lua and parts/match.lua.
-- ARGV: match id, replica, prefix of the keys of matches, seat,
--       "arrive", "depart", "depart_served" (through the server's doing) or "depart_unseated" (it never sat down, and
--       left by itself), number of the bot's session, why it departs
-- Returns 1, or 0 if the match is over or not there.
-- Sessions of a bot overlap: word of an older one that comes after a newer one has arrived changes nothing.

local MATCH, REPLICA, PREFIX, SEAT, EVENT = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]
local SESSION, SESSION_FIELD = tonumber(ARGV[6]), seat_field('j', SEAT)
local REPLICA_FIELD = seat_field('r', SEAT)

-- A bot that sits down where a match just began, or again at once, is nothing to tell.
local function tell_arrival(match, bucket)
  local since, here = match[seat_field('g', SEAT)], match[seat_field('n', SEAT)]
  local away = since > 0 and bucket.service - since or 0
  if bucket.service - math.max(since, here) > TOLERANCE or (since > 0 and here > 0) then
    local credit = lent(match, SEAT, bucket.service)
    local used = math.min(match.d, match[seat_field('u', SEAT)] + math.max(0, away - credit))
    tell(match, bucket, 'arrived', SEAT, away, since > 0 and credit or 0, used, match.d)
  end
end

local function arrive(match, bucket)
  if connected(match, SEAT) and SESSION < match[SESSION_FIELD] then
    return -- it was replaced meanwhile; who is gone is believed in any case, also if a crash took numbers back
  end
  match[SESSION_FIELD] = SESSION
  tell_arrival(match, bucket)
  give_stall(match, bucket, SEAT)
  if connected(match, SEAT) then
    connect(match, SEAT, bucket.service)
  else
    come_back(match, bucket, SEAT)
  end
  match[REPLICA_FIELD] = REPLICA
end

-- A stream that broke while its replica was silent broke through the server's doing.
local function depart(match, bucket, returned)
  if match[REPLICA_FIELD] ~= REPLICA or SESSION < match[SESSION_FIELD] then
    return -- it is connected elsewhere, or anew, by now
  end
  local credited = returned or EVENT == 'depart_served'
  go_away(match, SEAT, bucket.service, credited)
  tell(match, bucket, 'departed', SEAT, match[seat_field('u', SEAT)], match.d, credited and 1 or 0, ARGV[7])
  match[REPLICA_FIELD] = ''
end

-- Until now its absence was the server's time to seat it.
local function depart_unseated(match, bucket, returned)
  if returned or connected(match, SEAT) or match[seat_field('n', SEAT)] > 0 or match[seat_field('f', SEAT)] == 0 then
    return -- it was there, or this was noted before
  end
  go_away(match, SEAT, bucket.service, false)
  tell(match, bucket, 'departed', SEAT, match[seat_field('u', SEAT)], match.d, 0, ARGV[7])
end

local EVENTS = {arrive = arrive, depart = depart, depart_served = depart, depart_unseated = depart_unseated}

local match, bucket, returned = visit(MATCH, PREFIX, REPLICA)
if not match then
  return 0
end
EVENTS[EVENT](match, bucket, returned)
schedule(match, MATCH)
save_match(match)
return 1
