-- Elects one matchmaker, or lets it stay.
--
-- KEYS[1]  leader  STRING  replica that leads, with an expiry
-- KEYS[2]  terms   INT     fencing token: rises with every new leader
-- ARGV     replica, expiry (ms; 0 steps down)
--
-- Returns the token of the replica if it leads, else 0.

local leader = redis.call('GET', KEYS[1])
if leader and leader ~= ARGV[1] then
  return 0
end
if ARGV[2] == '0' then
  redis.call('DEL', KEYS[1])
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
if leader then
  return tonumber(redis.call('GET', KEYS[2]))
end
return redis.call('INCR', KEYS[2])
