-- uses: memo answer
-- Counts an answer whose first action is illegal. KEYS: see parts/bucket.lua and parts/match.lua.
-- ARGV: match id, replica, prefix of the keys of matches, ply, seat, digest, time of arrival or '' for now, out,
--       the action as received, time of the action before or 0
-- Returns "struck <strikes>\n<verdict>" or an answer of append.lua.

local MATCH, REPLICA, PREFIX, PLY, SEAT = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local DIGEST, ARRIVED, OUT = ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8])

local match = load_match(KEYS[7])
if not match then
  return 'missing'
end
local before = recall(match, PLY, SEAT, DIGEST, {}, 1)
if before then
  return 'repeat ' .. before
elseif PLY < match.p then
  return 'stale'
end
local refused = refusal(match, PLY, SEAT, tonumber(ARGV[10]))
if refused then
  return refused
end
local bucket = open_bucket()
match = attend(match, bucket, PREFIX, REPLICA)
local price = cost(match, bucket, SEAT, OUT, ARRIVED or bucket.now)
if price.charged > match[seat_field('c', SEAT)] then
  return too_late(match, bucket, MATCH, SEAT, price)
end
match.q = price.inside -- the turn goes on; what this answer waited is not charged with the next
local verdict = strike(match, bucket, MATCH, SEAT, ARGV[9])
local strikes = match[seat_field('x', SEAT)]
write_memo(PLY, SEAT, false, strikes, DIGEST)
if verdict == '' then
  schedule(match, MATCH)
end
save_match(match)
publish(MATCH, standing(match, match.p, {}, verdict))
return 'struck ' .. int(strikes) .. '\n' .. verdict
