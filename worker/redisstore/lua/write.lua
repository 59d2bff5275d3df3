local worker, epoch, floor, nonce, high, ttl, unit, window, owner, acquire, release, one, two =
  unpack(ARGV, 2)
local row = listed() and redis.call('HGET', ROWS, worker)
if not row then return 0 end
local have, granted, held, expires, scale =
  string.match(row, '^(%x+) (%S+) (%d) (%d+) %d+ (%d+ %d+) ')
if not have or granted == '-' then return 0 end
if scale ~= unit .. ' ' .. window then return 0 end
if have ~= one and have ~= two then return 0 end                                          -- I3
if acquire == '1' and held == '1' and tonumber(expires) > now then return 0 end           -- I3
local head = redis.call('HMGET', HEAD, 'epoch', 'floor')
if head[1] ~= epoch or head[1] ~= server or head[2] ~= floor then return 0 end            -- I7

held, expires = '1', now + ttl
if release == '1' then
  held, expires = '0', now
else
  if tonumber(high) > tick(unit) + window / unit then return 0 end                        -- I6
  if tonumber(granted) > tonumber(high) then high = granted end                           -- I4
end
redis.call('HSET', ROWS, worker, table.concat({nonce, high, held, text(expires), text(now),
  scale, owner}, ' '))
return 1
