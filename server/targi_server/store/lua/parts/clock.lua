-- The only clock: this Redis' own time.

-- Milliseconds since 1970.
local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- A whole number as text; tostring() would round or use an exponent.
local function int(number)
  return string.format('%d', number)
end
