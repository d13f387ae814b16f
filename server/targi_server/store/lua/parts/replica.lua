-- uses: judge edition
-- Replicas of a bucket that fall silent, and that come back. KEYS: see parts/bucket.lua.
-- Which matches are concerned is known only here, so their keys are made of a prefix (an argument of the script)
-- and the names of parts/match.lua. All are in the bucket's slot.

-- Calls `change(match, seat)` for the seats of all running matches, and saves those for which it says true.
local function change_seats(prefix, change)
  for _, match_id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    local match = load_match(prefix .. match_id .. ':live')
    if match and match.s >= 0 then
      local first, second = change(match, 0), change(match, 1)
      if first or second then
        schedule(match, match_id)
        save_match(match)
      end
    end
  end
end

-- A replica was silent, and is back: seats that it still holds are given the time of its silence.
local function recover_seats(bucket, prefix, replica)
  change_seats(prefix, function(match, seat)
    if match[seat_field('r', seat)] ~= replica then
      return false
    end
    settle(match, bucket)
    local silence
    if connected(match, seat) then
      silence = is_silent(bucket, replica) and bucket.service - last_beat(bucket, replica) or 0
      give_stall(match, bucket, seat)
    else
      silence = bucket.service - match[seat_field('g', seat)]
      recover(match, bucket, seat)
    end
    if silence > 0 then
      tell(match, bucket, 'recovered', seat, silence, replica)
    end
    return true
  end)
end

-- A replica of an edition is alive: matches that nobody else could play go on from here.
local function beat_for_edition(bucket, prefix, replica, edition)
  local last = bucket.editions[edition]
  if not last or bucket.now - math.max(last, bucket.good) > TOLERANCE then
    for _, match_id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
      local match = load_match(prefix .. match_id .. ':live')
      local can = match and match.s >= 0 and match.v and plays(edition, match.v)
      if can and stand_still_if_deserted(match, bucket) then
        tell(match, bucket, 'deserted', '-', service_between(bucket, played_last(bucket, match), bucket.now))
        schedule(match, match_id)
        save_match(match)
      end
    end
  end
  if bucket.has[replica] ~= edition then
    redis.call('HSET', KEYS[2], OF .. replica, edition)
  end
  bucket.editions[edition] = bucket.now
end

-- The replica is alive. Returns whether it was silent: then matches have changed.
local function beat(bucket, prefix, replica)
  local returns = not bucket.beats[replica] or is_silent(bucket, replica)
  if returns then
    recover_seats(bucket, prefix, replica)
  end
  redis.call('HSET', KEYS[2], replica, bucket.now)
  return returns
end

-- Service time of the last beat of other replicas that were silent for too long, not counting an outage in which
-- nobody could beat.
local function silent(bucket, replica)
  local found = {}
  for other, last in pairs(bucket.beats) do
    if other ~= replica and bucket.now - math.max(last, bucket.good) > TOLERANCE then
      found[other] = last_beat(bucket, other)
    end
  end
  return found
end

-- Their seats are away since the last beat, through no fault of the bots.
local function bury(bucket, prefix, replica)
  local dead = silent(bucket, replica)
  if next(dead) == nil then
    return
  end
  change_seats(prefix, function(match, seat)
    local last = dead[match[seat_field('r', seat)]]
    if not last or not connected(match, seat) then
      return false
    end
    go_away(match, seat, math.max(last, match[seat_field('n', seat)]), true)
    tell(match, bucket, 'lost', seat, match[seat_field('r', seat)])
    return true
  end)
  for other in pairs(dead) do
    local edition = bucket.has[other]
    if edition then
      redis.call('HSET', KEYS[2], EDITION .. edition, bucket.editions[edition])
    end
    redis.call('HDEL', KEYS[2], other, OF .. other)
  end
end

-- A running match, for a change by a replica, which gives a sign of life: match, bucket, whether the replica was
-- silent before. Nothing if the match is over or not there, or if its end was due before and comes now.
local function visit(match_id, prefix, replica)
  local match = load_match(KEYS[7])
  if not match or match.s < 0 then
    return nil
  end
  local bucket = open_bucket()
  local returned = beat(bucket, prefix, replica)
  if returned then
    match = load_match(KEYS[7])
  end
  stand_still_if_deserted(match, bucket)
  settle(match, bucket)
  if judge(match, bucket) then
    adjudicate(match, bucket, match_id, KEYS[10])
    return nil
  end
  return match, bucket, returned
end
