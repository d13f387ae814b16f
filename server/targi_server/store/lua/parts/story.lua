-- uses: match
-- What happens in a match besides plays, written where it happens and nowhere else.
--
-- story  list of texts "<time> <kind> <seat or -> <ply> <numbers> <text>", see match/incidents.py; the newest
--        STORY_KEPT. Its key is made of that of `live`.

local STORY_KEPT = 200

local function story_of(live_key)
  return string.sub(live_key, 1, -5) .. 'story'
end

-- The values are whole numbers and, last, a text.
local function tell(match, bucket, kind, seat, ...)
  local line = {int(bucket.now), kind, tostring(seat), int(match.p)}
  for _, value in ipairs({...}) do
    line[#line + 1] = type(value) == 'number' and int(value) or value
  end
  local key = story_of(match.key)
  redis.call('RPUSH', key, table.concat(line, ' '))
  redis.call('LTRIM', key, -STORY_KEPT, -1)
end

-- How both seats stood when time was over.
local function tell_judged(match, bucket)
  local seat = match.s
  local spent = math.max(0, bucket.service - turn_start(match) - match.k)
  local function away(each)
    return connected(match, each) and 0 or math.max(1, bucket.service - match[seat_field('g', each)])
  end
  tell(match, bucket, 'judged', seat, match[seat_field('c', seat)], spent, match.k, away(0), match.u0, away(1),
    match.u1)
end
