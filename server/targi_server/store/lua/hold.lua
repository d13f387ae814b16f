-- uses: judge replica
-- Stops the clock of a seat, or lets it run again. KEYS: see parts/bucket.lua and parts/match.lua.
-- ARGV: match id, replica, prefix of the keys of matches, seat, "hold" or "release"
-- Returns 1, 0 if that is not allowed in this match, or it is over or not there, -1 if the seat has no time left for it.

local match, bucket = visit(ARGV[1], ARGV[3], ARGV[2])
if not match or match.b == 0 then
  return 0
end
local SEAT, HOLDS = tonumber(ARGV[4]), ARGV[5] == 'hold'
local held = seat_field('h', SEAT)
local refused = HOLDS and match[seat_field('y', SEAT)] >= match.e
if HOLDS and not refused and match[held] == 0 then
  match[held] = bucket.service
  tell(match, bucket, 'held', SEAT)
elseif not HOLDS and match[held] > 0 then
  let_run(match, SEAT, bucket.service)
  tell(match, bucket, 'released', SEAT)
end
schedule(match, ARGV[1])
save_match(match)
return refused and -1 or 1
