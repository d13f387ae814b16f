-- uses: match
-- What was answered before: a resend gets the same again.
--
-- The log tells for most answers. A chain that was stopped early and an illegal answer leave a memo:
-- 2 bytes ply, 1 byte kind (bit 0 seat, bit 1: links were committed), 1 byte strikes then, 8 bytes digest.

local ACTION_BITS, SEAT_BIT, CHAINED, TURN_ENDED = 8192, 8192, 16384, 32768

local function pack_entry(head, out, inside, charged, elapsed)
  return struct.pack('<I2I2I2I3I3', head, out, inside, math.min(charged, 16777215), math.min(elapsed, 16777215))
end

local function unpack_entry(text)
  local head, out, inside, charged, elapsed = struct.unpack('<I2I2I2I3I3', text)
  return {text = text, action = head % ACTION_BITS, seat = math.floor(head / SEAT_BIT) % 2,
    chained = math.floor(head / CHAINED) % 2 == 1, turn_ended = head >= TURN_ENDED, charged = charged,
    elapsed = elapsed}
end

local function write_memo(ply, seat, committed, strikes, digest)
  redis.call('RPUSH', KEYS[9], struct.pack('<I2BB', ply, seat + (committed and 2 or 0), strikes) .. digest)
end

-- The memo of an answer: {committed, strikes}; nil if there is none.
local function find_memo(ply, seat, digest)
  for _, memo in ipairs(redis.call('LRANGE', KEYS[9], 0, -1)) do
    local at, kind, strikes = struct.unpack('<I2BB', memo)
    if at == ply and kind % 2 == seat and string.sub(memo, 5) == digest then
      return {committed = kind >= 2, strikes = strikes}
    end
  end
  return nil
end

-- The entries of the answer that begins at `ply`, and those after them.
local function answer_at(ply)
  local answer, later = {}, {}
  for i, text in ipairs(redis.call('LRANGE', KEYS[8], ply, -1)) do
    local entry = unpack_entry(text)
    if i == 1 or (entry.chained and #later == 0) then
      answer[#answer + 1] = entry
    else
      later[#later + 1] = entry
    end
  end
  return answer, later
end

-- Where the match stood before the entries `later`: clocks and time go back, entry by entry.
local function standing_before(match, ply, answer, later, verdict)
  local past = {p = match.p, s = match.s, t = match.t, c0 = match.c0, c1 = match.c1, x0 = match.x0, x1 = match.x1}
  for _, entry in ipairs(later) do
    local clock = seat_field('c', entry.seat)
    past[clock] = past[clock] + entry.charged - (entry.turn_ended and match.i or 0)
    past.t = past.t - entry.elapsed
    past.s = later[1].seat
  end
  local texts = {}
  for i, entry in ipairs(answer) do
    texts[i] = entry.text
  end
  return standing(past, ply, texts, #later == 0 and verdict or '')
end

local function same_actions(answer, actions)
  for i, entry in ipairs(answer) do
    if entry.action ~= actions[i] then
      return false
    end
  end
  return #answer == #actions
end

-- The verdict that an answer brought about by itself, as far as it is the last one: '' if none.
local function verdict_of_answer()
  local verdict = redis.call('GET', KEYS[10]) or ''
  local termination = string.match(verdict, '^%S+ (%S+)')
  return (termination == 'normal' or termination == 'illegal') and verdict or ''
end

-- What the same answer to an old ply was told: a text with its kind, or nil if it is another answer.
local function recall(match, ply, seat, digest, actions, received)
  local memo = find_memo(ply, seat, digest)
  if memo and not memo.committed then
    return 'struck ' .. memo.strikes .. '\n' .. verdict_of_answer()
  end
  if ply >= match.p then
    return nil
  end
  local answer, later = answer_at(ply)
  local first = answer[1]
  local whole = #actions == received and same_actions(answer, actions)
  if first.seat == seat and not first.chained and (memo or whole) then
    return 'committed ' .. standing_before(match, ply, answer, later, verdict_of_answer())
  end
  return nil
end
