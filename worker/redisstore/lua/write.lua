-- KEYS: the layouts, the head, the rows.
local layout, worker, epoch, floor, nonce, high, ttl, unit, window, owner, kind, one, two =
  unpack(ARGV)
local row = listed(layout) and redis.call('HGET', KEYS[3], worker)
if not row then return 0 end
local have, granted, held, expires, scale =
  string.match(row, '^(%x+) (%S+) (%d) (%d+) %d+ (%d+ %d+) ')
if not have or granted == '-' then return 0 end
if scale ~= unit .. ' ' .. window then return 0 end
if have ~= one and have ~= two then return 0 end                                          -- I3
if kind == 'acquire' and held == '1' and tonumber(expires) > now then return 0 end        -- I3
local head = redis.call('HMGET', KEYS[2], 'epoch', 'floor')
if head[1] ~= epoch or head[1] ~= server or head[2] ~= floor then return 0 end            -- I7

held, expires = '1', now + ttl
if kind == 'release' then
  held, expires = '0', now
else
  if tonumber(high) > tick(unit) + window / unit then return 0 end                        -- I6
  if tonumber(granted) > tonumber(high) then high = granted end                           -- I4
end
redis.call('HSET', KEYS[3], worker, table.concat({nonce, high, held, text(expires), text(now),
  scale, owner}, ' '))
return 1
