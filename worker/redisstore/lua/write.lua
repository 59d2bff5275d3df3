-- KEYS: the namespace, the row.
local call, worker, fingerprint, epoch, floor, nonce, high, ttl, owner, kind, one, two = unpack(ARGV)
local ns = redis.call('HMGET', KEYS[1], 'fingerprint', 'unit', 'window', 'epoch', 'floor', 'first', 'last')
local row = redis.call('HMGET', KEYS[2], 'nonce', 'held', 'high', 'expires', 'call')
if not (ns[1] and row[1]) then return -1 end
if tonumber(worker) < tonumber(ns[6]) or tonumber(worker) > tonumber(ns[7]) then return -1 end -- another's

-- The client repeats a command whose answer it did not get. This call was here
-- before; writing something makes WAIT wait for it again.
if row[1] == nonce and row[5] == call then
  redis.call('HSET', KEYS[2], 'call', call)
  return 1
end

if row[1] ~= one and row[1] ~= two then return 0 end                                      -- I3
if kind == 'acquire' and row[2] == '1' and tonumber(row[4]) > now then return 0 end       -- I3
if ns[1] ~= fingerprint then return 0 end
if ns[4] ~= epoch or ns[4] ~= server or ns[5] ~= floor then return 0 end                  -- I7

local held, expires = '1', now + ttl
if kind == 'release' then
  held, expires = '0', now
else
  if tonumber(high) > tick(ns[2]) + ns[3] then return 0 end                               -- I6
  if tonumber(row[3]) > tonumber(high) then high = row[3] end                             -- I4
end
redis.call('HSET', KEYS[2], 'nonce', nonce, 'held', held, 'high', high,
  'expires', text(expires), 'renewed', text(now), 'owner', owner, 'call', call)
return 1
