-- uses: story
-- Keeps that something was refused in a running match. KEYS: see parts/bucket.lua and parts/match.lua.
-- ARGV: match id, replica, prefix of the keys of matches, seat, "<reason> <what was received>"
-- Returns 1, or 0 if the match is over or not there.

local match = load_match(KEYS[7])
if not match or match.s < 0 then
  return 0
end
tell(match, open_bucket(), 'refused', tonumber(ARGV[4]), ARGV[5])
return 1
