-- uses: memo answer
-- Commits an answer if the match stands at its ply. KEYS: see parts/bucket.lua and parts/match.lua.
-- ARGV: match id, replica, prefix of the keys of matches, ply, seat, next seat (-1: over), 1 if the own turn ended,
--       number of actions as received, digest, time of arrival, out, 1 for a strike, result or '',
--       "<score> <score>" or "- -", ids of the legal actions with spaces between them, for a strike also the illegal
--       action as received
-- Returns "committed <standing>", "repeat <what the first was told>", "over <verdict>", "gap <ply>",
--         "not_your_turn", "waiting", "stale" or "missing".

local MATCH, REPLICA, PREFIX, PLY, SEAT = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local NEXT, TURN_OVER, RECEIVED, DIGEST = tonumber(ARGV[6]), ARGV[7] == '1', tonumber(ARGV[8]), ARGV[9]
local ARRIVED, OUT, STRUCK = tonumber(ARGV[10]), tonumber(ARGV[11]), ARGV[12] == '1'
local RESULT, SCORES, ACTIONS = ARGV[13], ARGV[14], ARGV[15]

local function actions_given()
  local actions = {}
  for action in string.gmatch(ACTIONS, '%-?%d+') do
    actions[#actions + 1] = tonumber(action)
  end
  return actions
end

local function entries_of(actions, price, elapsed)
  local entries = {}
  for i, action in ipairs(actions) do
    local head = action + SEAT * SEAT_BIT + (i > 1 and CHAINED or 0)
    head = head + (i == #actions and TURN_OVER and TURN_ENDED or 0)
    entries[i] = pack_entry(i == 1
      and {head = head, out = price.out, inside = price.inside, charged = price.charged, elapsed = elapsed}
      or {head = head, out = 0, inside = 0, charged = 0, elapsed = 0})
  end
  return entries
end

local function charge(match, price)
  local clock, lag = seat_field('c', SEAT), seat_field('l', SEAT)
  match[clock] = match[clock] - price.charged + (TURN_OVER and match.i or 0)
  match[lag] = TURN_OVER and 0 or match[lag] + price.lag
end

local function next_turn(match, bucket, taken, moment)
  match.p, match.s, match.t, match.o = PLY + taken, NEXT, moment, bucket.outages
  match.k, match.m, match.q = 0, 0, 0
end

-- The verdict that comes with the answer, or ''.
local function verdict_now(match, bucket)
  if RESULT == '' then
    return STRUCK and strike(match, bucket, MATCH, SEAT, ARGV[16]) or ''
  end
  local verdict = verdict_text(bucket, RESULT, 'normal', 'none', SCORES, '')
  conclude(match, bucket, MATCH, KEYS[10], verdict)
  return verdict
end

local function commit(match, bucket, actions, price)
  local moment = math.max(bucket.now, match.t)
  local entries = entries_of(actions, price, moment - match.t)
  redis.call('RPUSH', KEYS[8], unpack(entries))
  charge(match, price)
  next_turn(match, bucket, #actions, moment)
  local verdict = verdict_now(match, bucket)
  if #actions ~= RECEIVED then
    write_memo(PLY, SEAT, true, match[seat_field('x', SEAT)], DIGEST)
  end
  if verdict == '' then
    schedule(match, MATCH)
  end
  save_match(match)
  local text = standing(match, PLY, entries, verdict)
  publish(MATCH, text, verdict == '' and REPLICA or nil)
  return 'committed ' .. text
end

local match = load_match(KEYS[7])
if not match then
  return 'missing'
end
local actions = actions_given()
if PLY < match.p or match[seat_field('x', SEAT)] > 0 then
  local before = recall(match, PLY, SEAT, DIGEST, actions, RECEIVED)
  if before then
    return 'repeat ' .. before
  elseif PLY < match.p then
    return 'stale'
  end
end
local refused = refusal(match, PLY, SEAT)
if refused then
  return refused
end
local bucket = open_bucket()
match = attend(match, bucket, PREFIX, REPLICA)
local price = cost(match, bucket, SEAT, OUT, ARRIVED)
if price.charged > match[seat_field('c', SEAT)] then
  return too_late(match, bucket, MATCH, SEAT, price)
end
return commit(match, bucket, actions, price)
