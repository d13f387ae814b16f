-- uses: judge replica
-- Checks that come before any answer is taken, and what an answer costs.

local WITHIN = 1800        -- most of `out` and `in` together
local LAG_ACT, LAG_TURN = 50, 100

-- Why an answer to `ply` by `seat` is not taken at all: a text, or nil. `since`: when the action before was committed as
-- far as the caller knows, or 0. Another time is another action: the log lost what the answer builds on.
local function refusal(match, ply, seat, since)
  if match.s < 0 then
    return 'over ' .. redis.call('GET', KEYS[10])
  elseif ply ~= match.p or (since > 0 and since ~= match.t) then
    return 'gap ' .. int(match.p)
  elseif seat ~= match.s then
    return 'not_your_turn'
  elseif match.w > 0 then
    return 'waiting'
  end
  return nil
end

-- The match after the replica gave a sign of life and its seat what is due to it.
local function attend(match, bucket, prefix, replica)
  if beat(bucket, prefix, replica) then
    match = load_match(match.key)
  end
  settle(match, bucket)
  return match
end

-- Time that an answer spent in the server as measured: `out`, `in`. None counts for a seat that is away, no `out`
-- for one that was not there when its turn began, and no moment of an outage.
local function server_time(match, bucket, seat, sent_out, arrived)
  if not connected(match, seat) then
    return 0, 0
  end
  local inside = match.q + service_between(bucket, math.max(arrived, match.t), bucket.now)
  if match[seat_field('n', seat)] > turn_start(match) then
    return 0, inside
  end
  return service_between(bucket, match.t, match.t + sent_out), inside
end

-- What an answer costs now: {out, inside, lag, charged}. Together they are what passed and was not given.
local function cost(match, bucket, seat, sent_out, arrived)
  local elapsed = math.max(0, bucket.service - turn_start(match) - match.k)
  local most = math.min(elapsed, WITHIN)
  local out, inside = server_time(match, bucket, seat, sent_out, arrived)
  out = math.min(out, most)
  inside = math.min(inside, most - out)
  local spent = elapsed - out - inside
  local lag = math.min(spent, LAG_ACT, LAG_TURN - match[seat_field('l', seat)])
  return {out = out, inside = inside, lag = lag, charged = spent - lag}
end

-- The clock is over: TIME, unless both were away when it ended.
local function too_late(match, bucket, match_id, seat, price)
  tell(match, bucket, 'late', seat, match[seat_field('c', seat)], price.charged, price.out, price.inside, price.lag,
    match.k)
  local fall = flag_fall(match)
  if both_away_at(match, fall) then
    wait_for_one(match, bucket, seat, 'time')
    schedule(match, match_id)
    save_match(match)
    return 'waiting'
  end
  local verdict = against(bucket, seat, 'time')
  conclude(match, bucket, match_id, KEYS[10], verdict)
  publish(match_id, standing(match, match.p, {}, verdict))
  save_match(match)
  return 'over ' .. verdict
end

-- Counts a strike for what was received; the verdict after the third, else ''.
local function strike(match, bucket, match_id, seat, shown)
  local strikes = seat_field('x', seat)
  match[strikes] = match[strikes] + 1
  tell(match, bucket, 'strike', seat, match[strikes], shown)
  if match[strikes] < 3 then
    return ''
  end
  local verdict = against(bucket, seat, 'illegal')
  conclude(match, bucket, match_id, KEYS[10], verdict)
  return verdict
end
