-- uses: judge replica
-- A bot arrives or departs. KEYS: see parts/bucket.lua and parts/match.lua.
-- ARGV: match id, seat, replica, "arrive", "depart" or "depart_served" (through the server's doing),
--       prefix of the keys of matches
-- Returns 1, or 0 if the match is over or not there.

local MATCH, SEAT, REPLICA, EVENT, PREFIX = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
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

local function depart(match, bucket)
  if match[REPLICA_FIELD] ~= REPLICA then
    return -- it is connected elsewhere by now
  end
  give_stall(match, bucket, SEAT)
  if connected(match, SEAT) then
    go_away(match, SEAT, bucket.service, EVENT == 'depart_served')
  end
  match[REPLICA_FIELD] = ''
end

local function running_match()
  local match = load_match(KEYS[7])
  return match and match.s >= 0 and match or nil
end

if not running_match() then
  return 0
end
local bucket = open_bucket()
if EVENT == 'arrive' and not bucket.beats[REPLICA] then
  beat(bucket, PREFIX, REPLICA) -- a seat's replica must be one whose silence would be noticed
end
local match = running_match()
give_hold(match, bucket)
if judge(match, bucket) then -- what was due before comes first
  adjudicate(match, bucket, MATCH, KEYS[10])
  return 0
end
if EVENT == 'arrive' then
  arrive(match, bucket)
else
  depart(match, bucket)
end
schedule(match, MATCH)
save_match(match)
return 1
