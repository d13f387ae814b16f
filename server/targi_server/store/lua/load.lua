-- uses: match
-- Reads a match in one step. KEYS: see parts/bucket.lua and parts/match.lua.
-- Returns false, or {header, live by name and value, log, verdict or '', Redis' time, sum of outages}.

local head = redis.call('GET', KEYS[6])
if not head then
  return false
end
local bucket = open_bucket()
local log = table.concat(redis.call('LRANGE', KEYS[8], 0, -1))
return {head, redis.call('HGETALL', KEYS[7]), log, redis.call('GET', KEYS[10]) or '', bucket.now, bucket.outages}
