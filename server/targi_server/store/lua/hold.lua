-- uses: judge
-- Stops the clock of a seat, or lets it run again. KEYS: see parts/bucket.lua and parts/match.lua.
-- ARGV: match id, seat, "hold" or "release"
-- Returns 1, or 0 if that is not allowed in this match, or it is over or not there.

local SEAT = tonumber(ARGV[2])
local match = load_match(KEYS[7])
if not match or match.s < 0 or match.a ~= 1 then
  return 0
end
local bucket = open_bucket()
give_hold(match, bucket)
if judge(match, bucket) then -- what was due before comes first
  adjudicate(match, bucket, ARGV[1], KEYS[10])
  return 0
end
match[seat_field('h', SEAT)] = ARGV[3] == 'hold' and bucket.service or 0
schedule(match, ARGV[1])
save_match(match)
return 1
