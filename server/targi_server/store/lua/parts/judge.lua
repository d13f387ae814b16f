-- uses: hold
-- Who has lost when time is over.

local BACK = 2000          -- after both were away: how long one must be back

-- Service time at which the clock of the seat to move ends, if what stops it now goes on for as long as it may.
local function flag_fall(match)
  local seat = match.s
  local fall = turn_start(match) + match.k + match[seat_field('c', seat)]
  local given = math.max(turn_start(match), match.m)
  local function add(since, stop)
    local from = math.max(since, given)
    if since > 0 and fall > from and stop > from then
      fall, given = fall + stop - from, stop
    end
  end
  local away, held = match[seat_field('g', seat)], match[seat_field('h', seat)]
  add(match[seat_field('f', seat)] == 1 and away or 0, away + LENT)
  add(held, held > 0 and hold_end(match, seat) or 0)
  return fall
end

-- Service time at which the budget of a seat ends; nil while it is connected.
local function budget_end(match, seat)
  if connected(match, seat) then
    return nil
  end
  local credit = match[seat_field('f', seat)] == 1 and LENT or 0
  return match[seat_field('g', seat)] + credit + match.d - match[seat_field('u', seat)]
end

local function away_at(match, seat, moment)
  local since = match[seat_field('g', seat)]
  if since > 0 then
    return since <= moment
  end
  return match[seat_field('n', seat)] > moment
end

local function both_away_at(match, moment)
  return away_at(match, 0, moment) and away_at(match, 1, moment)
end

local function wait_for_one(match, bucket, seat, termination)
  tell(match, bucket, 'waiting', seat, termination)
  match.w = 1 + seat + (termination == 'abandoned' and 2 or 0)
end

local WORDS = {
  time = 'seat %d ran out of time',
  abandoned = 'seat %d was away for longer than its budget',
  illegal = 'third illegal action of seat %d',
}

local function verdict_text(bucket, result, termination, culprit, scores, words)
  local head = table.concat({result, termination, culprit, int(bucket.now), scores}, ' ')
  return head .. '\n' .. words -- no format(): it would cut words at a zero byte
end

local function against(bucket, seat, termination)
  local words = string.format(WORDS[termination], seat)
  return verdict_text(bucket, seat == 0 and '0-1' or '1-0', termination, tostring(seat), '- -', words)
end

local function against_both(bucket)
  return verdict_text(bucket, '*', 'abandoned', 'both', '- -', 'both seats were away until their time was over')
end

-- Since when the seat has been back that came first; nil if neither is.
local function first_back(match)
  local since
  for seat = 0, 1 do
    if connected(match, seat) then
      since = math.min(since or math.huge, match[seat_field('n', seat)])
    end
  end
  return since
end

-- The verdict that waited since both were away, or nil if it still does.
local function judge_waiting(match, bucket)
  local late = (match.w - 1) % 2
  local termination = match.w > 2 and 'abandoned' or 'time'
  local since = first_back(match)
  if since == nil then
    local over = bucket.service >= budget_end(match, 1 - late) + TOLERANCE
    return over and against_both(bucket) or nil
  end
  if bucket.service < since + BACK then
    return nil
  end
  if connected(match, late) and not connected(match, 1 - late) then
    return against(bucket, 1 - late, 'abandoned')
  end
  return against(bucket, late, termination)
end

-- The clock or budget that ended first, longer than the tolerance ago: {seat, termination, when}; or nil.
local function ended_first(match, bucket)
  local first
  local function consider(seat, termination, moment)
    if moment and bucket.service >= moment + TOLERANCE and (not first or moment < first[3]) then
      first = {seat, termination, moment}
    end
  end
  consider(match.s, 'time', flag_fall(match))
  consider(0, 'abandoned', budget_end(match, 0))
  consider(1, 'abandoned', budget_end(match, 1))
  return first
end

-- The verdict that is due, or nil.
local function judge(match, bucket)
  if match.w == 0 then
    local ended = ended_first(match, bucket)
    if not ended then
      return nil
    end
    if not both_away_at(match, ended[3]) then
      return against(bucket, ended[1], ended[2])
    end
    wait_for_one(match, bucket, ended[1], ended[2])
  end
  return judge_waiting(match, bucket)
end

-- When the match is to be looked at, if nothing happens before.
local function deadline(match)
  if match.w > 0 then
    local since = first_back(match)
    return since and since + BACK or budget_end(match, 1 - (match.w - 1) % 2) + TOLERANCE
  end
  local never = math.huge
  return math.min(flag_fall(match), budget_end(match, 0) or never, budget_end(match, 1) or never) + TOLERANCE
end

-- When the first of the clocks that are held is to be let go, if one is.
local function first_hold_end(match)
  local first = math.huge
  for seat = 0, 1 do
    if match[seat_field('h', seat)] > 0 then
      first = math.min(first, hold_end(match, seat))
    end
  end
  return first
end

local function schedule(match, match_id)
  redis.call('ZADD', KEYS[1], math.min(deadline(match), first_hold_end(match)), match_id)
end

-- Ends the match: verdict, outbox and deadline in one.
local function conclude(match, bucket, match_id, end_key, verdict)
  match.s = -1
  redis.call('SET', end_key, verdict)
  redis.call('ZREM', KEYS[1], match_id)
  redis.call('ZADD', KEYS[4], int(bucket.now), match_id)
end

-- Ends the match if its time is over, else moves its deadline. Returns the verdict or nil.
local function adjudicate(match, bucket, match_id, end_key)
  local verdict = judge(match, bucket)
  if verdict then
    tell_judged(match, bucket)
    conclude(match, bucket, match_id, end_key, verdict)
    publish(match_id, standing(match, match.p, {}, verdict))
  else
    schedule(match, match_id)
  end
  save_match(match)
  return verdict
end
