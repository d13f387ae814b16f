-- uses: judge replica
-- A bot arrives or departs. KEYS: see parts/bucket.lua and parts/match.lua.
-- ARGV: match id, replica, prefix of the keys of matches, seat,
--       "arrive", "depart" or "depart_served" (through the server's doing)
-- Returns 1, or 0 if the match is over or not there.

local MATCH, REPLICA, PREFIX, SEAT, EVENT = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]
local REPLICA_FIELD = seat_field('r', SEAT)

local function arrive(match, bucket)
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
  if match[REPLICA_FIELD] ~= REPLICA then
    return -- it is connected elsewhere by now
  end
  go_away(match, SEAT, bucket.service, returned or EVENT == 'depart_served')
  match[REPLICA_FIELD] = ''
end

local match, bucket, returned = visit(MATCH, PREFIX, REPLICA)
if not match then
  return 0
end
if EVENT == 'arrive' then
  arrive(match, bucket)
else
  depart(match, bucket, returned)
end
schedule(match, MATCH)
save_match(match)
return 1
