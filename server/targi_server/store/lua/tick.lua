-- uses: judge replica
-- What a replica does for a bucket each second: beat, outages, seats of silent replicas, due deadlines.
-- KEYS: see parts/bucket.lua. ARGV: replica, prefix of the keys of matches, most deadlines to handle, edition of the
-- rules that it has
-- Returns Redis' time and the number of running matches.

local REPLICA, PREFIX = ARGV[1], ARGV[2]

local function look_at(bucket, match_id)
  local match = load_match(PREFIX .. match_id .. ':live')
  if not match or match.s < 0 then
    redis.call('ZREM', KEYS[1], match_id)
    return
  end
  if stand_still_if_deserted(match, bucket) then
    schedule(match, match_id)
    save_match(match)
    return
  end
  settle(match, bucket)
  adjudicate(match, bucket, match_id, PREFIX .. match_id .. ':end')
end

local bucket = open_bucket()
beat_for_edition(bucket, PREFIX, REPLICA, ARGV[4])
beat(bucket, PREFIX, REPLICA)
bury(bucket, PREFIX, REPLICA)
for _, match_id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', int(bucket.service), 'LIMIT', 0, ARGV[3])) do
  look_at(bucket, match_id)
end
return {bucket.now, redis.call('ZCARD', KEYS[1])}
