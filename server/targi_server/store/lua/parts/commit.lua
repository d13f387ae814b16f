-- uses: memo answer
-- Writes an answer to the log.
--
-- answer  {match_id, replica, ply, seat, next_seat (-1: over), turn_over, received (number of actions), digest, struck
--         (counts a strike), shown (the illegal action), result ('' while the game goes on), scores, actions}

local function entries_of(answer, price, elapsed)
  local entries, count, seat_bit = {}, #answer.actions, answer.seat * SEAT_BIT
  for i, action in ipairs(answer.actions) do
    local head = action + seat_bit + (i > 1 and CHAINED or 0) + (i == count and answer.turn_over and TURN_ENDED or 0)
    if i == 1 then
      entries[i] = pack_entry(head, price.out, price.inside, price.charged, elapsed)
    else
      entries[i] = pack_entry(head, 0, 0, 0, 0)
    end
  end
  return entries
end

local function charge(match, answer, price)
  local clock, lag = seat_field('c', answer.seat), seat_field('l', answer.seat)
  match[clock] = match[clock] - price.charged + (answer.turn_over and match.i or 0)
  match[lag] = answer.turn_over and 0 or match[lag] + price.lag
end

local function next_turn(match, bucket, answer, moment)
  match.p, match.s, match.t, match.o = answer.ply + #answer.actions, answer.next_seat, moment, bucket.outages
  match.k, match.m, match.q = 0, 0, 0
end

-- The verdict that comes with the answer, or ''.
local function verdict_now(match, bucket, answer)
  if answer.result == '' then
    return answer.struck and strike(match, bucket, answer.match_id, answer.seat, answer.shown) or ''
  end
  local verdict = verdict_text(bucket, answer.result, 'normal', 'none', answer.scores, '')
  conclude(match, bucket, answer.match_id, KEYS[10], verdict)
  return verdict
end

-- News of an answer, for whoever does not have it as the reply.
local function spread(bucket, answer, text, verdict)
  if verdict ~= '' then
    publish(answer.match_id, text)
  elseif not is_alone(bucket, answer.replica) then
    publish(answer.match_id, text, answer.replica)
  end
end

local function commit(match, bucket, answer, price)
  local moment = math.max(bucket.now, match.t)
  local entries = entries_of(answer, price, moment - match.t)
  redis.call('RPUSH', KEYS[8], unpack(entries))
  charge(match, answer, price)
  next_turn(match, bucket, answer, moment)
  local verdict = verdict_now(match, bucket, answer)
  if #answer.actions ~= answer.received then
    write_memo(answer.ply, answer.seat, true, match[seat_field('x', answer.seat)], answer.digest)
  end
  if verdict == '' then
    schedule(match, answer.match_id)
  end
  save_match(match)
  local text = standing(match, answer.ply, entries, verdict)
  spread(bucket, answer, text, verdict)
  return 'committed ' .. text
end
