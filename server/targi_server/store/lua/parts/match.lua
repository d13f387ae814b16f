-- uses: bucket
-- A running match.
--
-- live  hash, small enough for a listpack; a field that is 0 may be missing. SEAT is 0 or 1.
--       p ply, s seat to move (-1: over), t when the last action was committed, o sum of outages then
--       cSEAT clock as of the last action, i increment, d disconnect budget
--       k service time since t that is not charged, m until when such time was given
--       q time that illegal answers waited in the server since t, lSEAT lag used in the own turn
--       xSEAT strikes, hSEAT clock held since, w verdict that waits (1 + SEAT, + 2 for the budget)
--       rSEAT replica, nSEAT connected since, gSEAT gone since (0: connected), uSEAT budget used
--       fSEAT 1: the absence is the server's fault, jSEAT number of the session that arrived last
--       b, e how long a clock may be held at a time and in all, ySEAT how long it was, zSEAT how often that was ended
--       v edition of its rules, va until when it stood still because no replica had that
--       All moments but t are service time.
-- log   list of entries of 12 bytes, see match/entries.py
-- end   the verdict: "<result> <termination> <culprit> <at> <score> <score>\n<words>"
-- memo  list of 12 bytes: answers that the log alone does not tell, see parts/memo.lua
-- head  the header, see match/model.py; done: what is kept of a filed match, with a time to live
--
-- KEYS[6] head, KEYS[7] live, KEYS[8] log, KEYS[9] memo, KEYS[10] end, KEYS[11] done

local LENT = 15000         -- most of an absence through the server's fault that is credited

-- Names of fields by seat, and what a field is that was never written.
local SEAT_FIELDS = {
  c = {[0] = 'c0', 'c1'}, f = {[0] = 'f0', 'f1'}, g = {[0] = 'g0', 'g1'}, h = {[0] = 'h0', 'h1'},
  l = {[0] = 'l0', 'l1'}, n = {[0] = 'n0', 'n1'}, r = {[0] = 'r0', 'r1'}, u = {[0] = 'u0', 'u1'},
  j = {[0] = 'j0', 'j1'}, x = {[0] = 'x0', 'x1'}, y = {[0] = 'y0', 'y1'}, z = {[0] = 'z0', 'z1'},
}
local UNSET = {__index = {
  p = 0, s = 0, t = 0, o = 0, i = 0, d = 0, b = 0, e = 0, k = 0, m = 0, q = 0, w = 0,
  c0 = 0, c1 = 0, f0 = 0, f1 = 0, g0 = 0, g1 = 0, h0 = 0, h1 = 0, l0 = 0, l1 = 0, n0 = 0, n1 = 0,
  j0 = 0, j1 = 0, r0 = 0, r1 = 0, u0 = 0, u1 = 0, x0 = 0, x1 = 0,
  y0 = 0, y1 = 0, z0 = 0, z1 = 0, va = 0,
}}

local function seat_field(name, seat)
  return SEAT_FIELDS[name][seat]
end

local function new_match(key)
  return setmetatable({key = key, stored = {}}, UNSET)
end

local function load_match(key)
  local raw = redis.call('HGETALL', key)
  if #raw == 0 then
    return nil
  end
  local match = new_match(key)
  local stored = match.stored
  for i = 1, #raw, 2 do
    local field, value = raw[i], raw[i + 1]
    if field ~= 'r0' and field ~= 'r1' and field ~= 'v' then -- the name of a replica may look like a number
      value = tonumber(value)
    end
    stored[field], match[field] = value, value
  end
  return match
end

-- Writes what changed. Fields have one or two characters; longer names are not stored.
local function save_match(match)
  local changes, stored = {}, match.stored
  for field, value in pairs(match) do
    if value ~= (stored[field] or 0) and #field <= 2 then
      changes[#changes + 1] = field
      changes[#changes + 1] = value
    end
  end
  if #changes > 0 then
    redis.call('HSET', match.key, unpack(changes))
  end
end

local function connected(match, seat)
  return match[seat_field('g', seat)] == 0
end

-- When the clock of the seat to move began to run.
local function turn_start(match)
  return match.t - match.o
end

-- Does not charge the seat for a stretch of service time; none is given twice.
local function give(match, seat, from, to)
  from = math.max(from, turn_start(match), match.m)
  if match.s == seat and to > from then
    match.k = match.k + to - from
    match.m = to
  end
end

-- How much of an absence until `now` is credited.
local function lent(match, seat, now)
  local since = match[seat_field('g', seat)]
  return match[seat_field('f', seat)] == 1 and math.min(now - since, LENT) or 0
end

-- A connected seat whose replica was silent for too long is given the time since the replica's last beat.
local function give_stall(match, bucket, seat)
  local replica = match[seat_field('r', seat)]
  if connected(match, seat) and is_silent(bucket, replica) then
    give(match, seat, math.max(last_beat(bucket, replica), match[seat_field('n', seat)]), bucket.service)
    match[seat_field('n', seat)] = bucket.service
  end
end

local function connect(match, seat, now)
  match[seat_field('g', seat)], match[seat_field('f', seat)] = 0, 0
  match[seat_field('n', seat)] = now
end

-- Ends an absence: what is not credited uses up the budget.
local function come_back(match, bucket, seat)
  local since, credit = match[seat_field('g', seat)], lent(match, seat, bucket.service)
  local used = seat_field('u', seat)
  match[used] = math.min(match.d, match[used] + math.max(0, bucket.service - since - credit))
  connect(match, seat, bucket.service)
end

-- A replica that fell silent beats again, and its streams live: all of that time is given.
local function recover(match, bucket, seat)
  give(match, seat, match[seat_field('g', seat)], bucket.service)
  connect(match, seat, bucket.service)
end

local function go_away(match, seat, since, credited)
  match[seat_field('g', seat)] = since
  match[seat_field('f', seat)] = credited and 1 or 0
end

-- Where a match stands, as one text: for the caller and for the news.
-- "<ply> <seat> <clock> <clock> <t> <strikes> <strikes> <number of entries>\n<entries><verdict>"
local function standing(match, ply, entries, verdict)
  return string.format('%.0f %.0f %.0f %.0f %.0f %.0f %.0f %d\n', ply, match.s, match.c0, match.c1, match.t,
    match.x0, match.x1, #entries) .. table.concat(entries) .. verdict
end

-- News of a match. `told`: the replica that hears the same as its answer, nil where nobody does.
local function publish(match_id, text, told)
  redis.call('SPUBLISH', KEYS[5], 'm ' .. match_id .. ' ' .. (told or '-') .. ' ' .. text)
end
