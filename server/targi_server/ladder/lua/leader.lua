-- Elects one matchmaker of an edition of the rules, or lets it stay.
--
-- KEYS[1]  leader  STRING  replica that leads, with an expiry
-- KEYS[2]  terms   INT     fencing token: rises with every new leader of any edition
-- KEYS[3]  newest  STRING  newest edition that has a leader, with an expiry
-- ARGV     replica, expiry (ms; 0 steps down), edition ("rules.vocabulary", two numbers)
--
-- Returns the token of the replica if it leads, else 0.

local function rank(edition)
  local rules, vocabulary = edition:match('^(%d+)%.(%d+)$')
  return rules * 1000000 + vocabulary
end

local leader = redis.call('GET', KEYS[1])
if leader and leader ~= ARGV[1] then
  return 0
end
if ARGV[2] == '0' then
  redis.call('DEL', KEYS[1])
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
local newest = redis.call('GET', KEYS[3])
if not newest or rank(newest) <= rank(ARGV[3]) then
  redis.call('SET', KEYS[3], ARGV[3], 'PX', ARGV[2])
end
if leader then
  return tonumber(redis.call('GET', KEYS[2]))
end
return redis.call('INCR', KEYS[2])
