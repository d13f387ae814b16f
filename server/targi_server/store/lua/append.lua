-- uses: commit
-- Commits an answer if the match stands at its ply. KEYS: see parts/bucket.lua and parts/match.lua.
-- ARGV: match id, replica, prefix of the keys of matches, ply, seat, next seat (-1: over), 1 if the own turn ended,
--       number of actions as received, digest, time of arrival, out, 1 for a strike, result or '',
--       "<score> <score>" or "- -", ids of the legal actions with spaces between them, time of the action before or 0,
--       for a strike also the illegal action as received
-- Returns "committed <standing>", "repeat <what the first was told>", "over <verdict>", "gap <ply>",
--         "not_your_turn", "waiting", "stale" or "missing".

local function actions_of(text)
  local actions = {}
  for action in string.gmatch(text, '%-?%d+') do
    actions[#actions + 1] = tonumber(action)
  end
  return actions
end

local match = load_match(KEYS[7])
if not match then
  return 'missing'
end
local answer = {
  match_id = ARGV[1], replica = ARGV[2], ply = tonumber(ARGV[4]), seat = tonumber(ARGV[5]),
  next_seat = tonumber(ARGV[6]), turn_over = ARGV[7] == '1', received = tonumber(ARGV[8]), digest = ARGV[9],
  struck = ARGV[12] == '1', shown = ARGV[17], result = ARGV[13], scores = ARGV[14], actions = actions_of(ARGV[15]),
}
local ply, seat = answer.ply, answer.seat
if ply < match.p or match[seat_field('x', seat)] > 0 then
  local before = recall(match, ply, seat, answer.digest, answer.actions, answer.received)
  if before then
    return 'repeat ' .. before
  elseif ply < match.p then
    return 'stale'
  end
end
local refused = refusal(match, ply, seat, tonumber(ARGV[16]))
if refused then
  return refused
end
local bucket = open_bucket()
match = attend(match, bucket, ARGV[3], answer.replica)
local price = cost(match, bucket, seat, tonumber(ARGV[11]), tonumber(ARGV[10]))
if price.charged > match[seat_field('c', seat)] then
  return too_late(match, bucket, answer.match_id, seat, price)
end
return commit(match, bucket, answer, price)
