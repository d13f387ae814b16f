-- uses: judge
-- Ends a match by a verdict from outside; the first one wins. KEYS: see parts/bucket.lua and parts/match.lua.
-- ARGV: match id, replica, prefix of the keys of matches, ply at which it must stand or '', result, termination,
--       culprit, "<score> <score>" or "- -", words
-- Returns "given <verdict>", "over <verdict>", "elsewhere" or "missing".

local match = load_match(KEYS[7])
if not match then
  return 'missing'
elseif match.s < 0 then
  return 'over ' .. redis.call('GET', KEYS[10])
elseif ARGV[4] ~= '' and tonumber(ARGV[4]) ~= match.p then
  return 'elsewhere'
end
local bucket = open_bucket()
local verdict = verdict_text(bucket, ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9])
conclude(match, bucket, ARGV[1], KEYS[10], verdict)
save_match(match)
publish(ARGV[1], standing(match, match.p, {}, verdict))
return 'given ' .. verdict
