-- uses: story
-- Matches that no replica can play any more, by the edition of their rules (rules and vocabulary). Nobody is to blame,
-- so they stand still, as in an outage of their own, until a replica that can play them beats again.

-- Whether replicas of an edition play matches of another one: a vocabulary only grows, see match/versions.py.
local function plays(edition, dealt_by)
  local rules, vocabulary = string.match(edition, '^(%d+)%.(%d+)$')
  local needed, known = string.match(dealt_by, '^(%d+)%.(%d+)$')
  return rules == needed and tonumber(vocabulary) >= tonumber(known)
end

-- When somebody who can play the match beat last; nil if nobody ever did.
local function played_last(bucket, match)
  local last
  for edition, moment in pairs(bucket.editions) do
    if match.v and plays(edition, match.v) then
      last = math.max(last or 0, moment)
    end
  end
  return last
end

-- Service time since which a match was deserted and not made up for; nil if somebody can play it.
local function deserted_since(bucket, match)
  local last = played_last(bucket, match)
  if not last or bucket.now - math.max(last, bucket.good) <= TOLERANCE then
    return nil
  end
  return math.max(bucket.service - service_between(bucket, last, bucket.now), match.va)
end

-- Moves all moments of a match as if the service time since then had not passed.
local function stand_still(match, bucket, since)
  local now = bucket.service
  local function later(moment)
    return moment > 0 and moment + math.max(0, now - math.max(moment, since)) or moment
  end
  local missed = math.max(0, now - math.max(since, match.m, turn_start(match)))
  match.o, match.m = match.o - missed, match.m > 0 and match.m + missed or 0
  for seat = 0, 1 do
    for _, name in ipairs({'g', 'n', 'h'}) do
      local field = seat_field(name, seat)
      match[field] = later(match[field])
    end
  end
  match.va = now
end

local function stand_still_if_deserted(match, bucket)
  local since = deserted_since(bucket, match)
  if since then
    stand_still(match, bucket, since)
  end
  return since ~= nil
end
