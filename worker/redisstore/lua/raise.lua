-- A new epoch begins above everything that the last one may have granted and lost (I7); so does
-- one whose head was lost.
local epoch, floor, unit, margin = unpack(ARGV, 2)
local head = redis.call('HMGET', HEAD, 'epoch', 'floor')
if (head[1] or '') ~= epoch or (head[2] or '0') ~= floor or epoch == server then return 0 end
local behind = tick(unit) + margin
if tonumber(floor) < behind then floor = text(behind) end
redis.call('HSET', HEAD, 'epoch', server, 'floor', floor)
return 1
