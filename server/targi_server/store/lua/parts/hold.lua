-- uses: story
-- Clocks that seats stop themselves (debug challenges), each for so long at most.

-- Service time at which a clock that is held runs again, whatever its seat says.
local function hold_end(match, seat)
  return match[seat_field('h', seat)] + math.min(match.b, match.e - match[seat_field('y', seat)])
end

-- The clock of a seat runs again.
local function let_run(match, seat, moment)
  local held, sum = seat_field('h', seat), seat_field('y', seat)
  match[sum] = match[sum] + moment - match[held]
  match[held] = 0
end

-- Gives what a Hold has come to by now, and ends it if it has lasted for as long as it may.
local function settle_hold(match, bucket, seat)
  local since, stop = match[seat_field('h', seat)], hold_end(match, seat)
  give(match, seat, since, math.min(stop, bucket.service))
  if bucket.service >= stop then
    local ended = seat_field('z', seat)
    match[ended] = match[ended] + 1
    tell(match, bucket, 'let_go', seat, stop - since)
    let_run(match, seat, stop)
  end
end

-- Gives the seat to move what an absence through the server's fault and a Hold that go on have come to by now. Each
-- change of a match begins with this, so that all stretches are given in their order.
local function settle(match, bucket)
  local seat = match.s
  local away = match[seat_field('g', seat)]
  if away > 0 then
    give(match, seat, away, away + lent(match, seat, bucket.service))
  end
  for each = 0, 1 do
    if match[seat_field('h', each)] > 0 then
      settle_hold(match, bucket, each)
    end
  end
end
