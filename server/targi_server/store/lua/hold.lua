-- uses: judge replica
-- Stops the clock of a seat, or lets it run again. KEYS: see parts/bucket.lua and parts/match.lua.
-- ARGV: match id, replica, prefix of the keys of matches, seat, "hold" or "release"
-- Returns 1, or 0 if that is not allowed in this match, or it is over or not there.

local match, bucket = visit(ARGV[1], ARGV[3], ARGV[2])
if not match or match.a ~= 1 then
  return 0
end
local seat, held = tonumber(ARGV[4]), ARGV[5] == 'hold'
match[seat_field('h', seat)] = held and bucket.service or 0
tell(match, bucket, held and 'held' or 'released', seat)
schedule(match, ARGV[1])
save_match(match)
return 1
