-- uses: clock
-- Makes a session the one that holds its bot.
--
-- KEYS[1]  online  HASH  bot -> session as JSON (below)
-- KEYS[2]  claims  INT   fence of the last claim in this bucket
-- ARGV     bot, arrival as JSON, chain state that the new chain head continues ("" for none), replica that is
--          known to be dead ("" for none), least time between two takeovers (ms)
--
-- Session: what the arrival says, and fence, since (ms), quiet and leaving (bool), chain_since (ms: from when on
-- the nonces are bound), spent_for (offer of the last nonce), taken (ms of the last takeover, 0 for none),
-- ousted (sessions that were taken over, newest first, a few).
--
-- Returns {fence, 1 if the same session held the bot, replica that held it or "", fence of that hold} or, for a
-- takeover that comes too early, {0, time to wait in ms}; for a session that was taken over, {0, -1}.

local OUSTED = 8

local bot, new, continues = ARGV[1], cjson.decode(ARGV[2]), ARGV[3]
local dead, pause = ARGV[4], tonumber(ARGV[5])
local now = now_ms()

local held = redis.call('HGET', KEYS[1], bot)
local old = held and cjson.decode(held) or {session = '', replica = '', fence = 0, taken = 0, chain = ''}
local same = old.session == new.session

-- A session that was taken over does not come back, even if the word of it was lost with its stream: two
-- copies of a bot would otherwise take turns for ever.
for _, session in ipairs(old.ousted or {}) do
  if session == new.session then
    return {0, -1}
  end
end

new.taken, new.ousted = old.taken, old.ousted or {}
if held and not same and old.replica ~= dead and not old.quiet then
  if now - old.taken < pause then
    return {0, pause - (now - old.taken)}
  end
  new.taken = now
  table.insert(new.ousted, 1, old.session)
  new.ousted[OUSTED + 1] = nil
end

new.chain_since, new.spent_for = now, ''
if same and new.chain ~= '' and (new.chain == old.chain or (continues ~= '' and continues == old.chain)) then
  new.chain_since, new.spent_for = old.chain_since, old.spent_for
end
new.fence = redis.call('INCR', KEYS[2])
new.since, new.quiet, new.leaving = now, false, false
redis.call('HSET', KEYS[1], bot, cjson.encode(new))
return {new.fence, same and 1 or 0, old.replica, old.fence}
