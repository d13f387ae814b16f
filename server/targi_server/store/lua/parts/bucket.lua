-- uses: clock
-- What a bucket knows about its replicas and outages.
--
-- KEYS[1] deadlines  sorted set: match id by service time at which it is to be looked at; all running matches
-- KEYS[2] beats      hash: replica -> time of its last beat; each change that it makes here is one;
--                    "of:" and replica -> edition of the rules that it has; "edition:" and edition -> last beat of its
--                    replicas that are dead
-- KEYS[3] outages    list: "<from> <to> <sum of all outages>", the newest first
-- KEYS[4] outbox     sorted set: match id by time of its end, until it is filed
-- KEYS[5] news       channel
--
-- Service time is Redis' time minus the sum of all outages so far: it stands still during an outage. Clocks,
-- budgets and deadlines run on it, so no outage needs to be subtracted from any of them. An outage begins at the
-- last beat, and nothing is changed between that and the outage, so no moment that was stored lies within one.

local TOLERANCE = 2000     -- a longer gap between beats is an outage, or a dead replica
local OUTAGES_KEPT = 64
local EDITION, OF = 'edition:', 'of:'

local function read_outage(text)
  local from, to, sum = string.match(text, '^(%d+) (%d+) (%d+)$')
  return tonumber(from), tonumber(to), tonumber(sum)
end

local function write_outage(bucket, from, to)
  bucket.outages = bucket.outages + to - from
  bucket.good = to
  redis.call('LPUSH', KEYS[3], table.concat({int(from), int(to), int(bucket.outages)}, ' '))
  redis.call('LTRIM', KEYS[3], 0, OUTAGES_KEPT - 1)
end

local function read_beats()
  local beats, has, editions, last = {}, {}, {}, 0
  local raw = redis.call('HGETALL', KEYS[2])
  for i = 1, #raw, 2 do
    local name, value = raw[i], raw[i + 1]
    if string.sub(name, 1, #OF) == OF then
      has[string.sub(name, #OF + 1)] = value
    elseif string.sub(name, 1, #EDITION) == EDITION then
      editions[string.sub(name, #EDITION + 1)] = tonumber(value)
    else
      beats[name] = tonumber(value)
      last = math.max(last, beats[name])
    end
  end
  for replica, edition in pairs(has) do
    editions[edition] = math.max(editions[edition] or 0, beats[replica] or 0)
  end
  return beats, has, editions, last
end

-- The bucket at this moment: {now, beats, has (edition by replica), editions (last beat of each), outages (their sum),
-- good (end of the last), service}. An outage that nobody wrote yet is written first, whichever script comes first.
local function open_bucket()
  local bucket = {now = now_ms(), outages = 0, good = 0}
  local newest = redis.call('LINDEX', KEYS[3], 0)
  if newest then
    local _
    _, bucket.good, bucket.outages = read_outage(newest)
  end
  local beats, has, editions, last = read_beats()
  last = math.max(last, bucket.good)
  if last > 0 and bucket.now - last > TOLERANCE then
    write_outage(bucket, last, bucket.now)
  end
  bucket.beats, bucket.has, bucket.editions, bucket.service = beats, has, editions, bucket.now - bucket.outages
  return bucket
end

-- Whether no other replica beats here.
local function is_alone(bucket, replica)
  for other in pairs(bucket.beats) do
    if other ~= replica then
      return false
    end
  end
  return true
end

-- Whether a replica was silent for too long.
local function is_silent(bucket, replica)
  local last = bucket.beats[replica]
  return last ~= nil and bucket.now - last > TOLERANCE
end

-- Service time between two moments of Redis' time.
local function service_between(bucket, from, to)
  local served = math.max(0, to - from)
  if bucket.good > from then
    for _, text in ipairs(redis.call('LRANGE', KEYS[3], 0, -1)) do
      local first, last = read_outage(text)
      served = served - math.max(0, math.min(to, last) - math.max(from, first))
    end
  end
  return served
end

-- Service time of a replica's last beat.
local function last_beat(bucket, replica)
  return bucket.service - service_between(bucket, bucket.beats[replica], bucket.now)
end
