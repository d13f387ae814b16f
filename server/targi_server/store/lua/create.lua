-- uses: judge replica
-- Starts a match, once. KEYS: see parts/bucket.lua and parts/match.lua.
-- ARGV: match id, replica, prefix of the keys of matches, header, seat to move, clock, increment,
--       disconnect budget, how long a clock may be held at a time (ms, 0: not at all) and in all, edition of the rules
-- Returns 1, or 0 if the match is there or was filed.

if redis.call('EXISTS', KEYS[6], KEYS[11]) > 0 then
  return 0
end

local bucket = open_bucket()
beat(bucket, ARGV[3], ARGV[2])
local match = new_match(KEYS[7])
match.s, match.t, match.o = tonumber(ARGV[5]), bucket.now, bucket.outages
match.c0, match.c1 = tonumber(ARGV[6]), tonumber(ARGV[6])
match.i, match.d = tonumber(ARGV[7]), tonumber(ARGV[8])
match.b, match.e, match.v = tonumber(ARGV[9]), tonumber(ARGV[10]), ARGV[11]
for seat = 0, 1 do
  go_away(match, seat, bucket.service, true) -- until its replica says that it is there; nobody's fault
end
redis.call('SET', KEYS[6], ARGV[4])
schedule(match, ARGV[1])
save_match(match)
return 1
