-- A new epoch begins above everything that the last one may have granted and lost (I7); so does
-- one whose head was lost, and a pool whose slack was too small (I13).
local epoch, floor, slack, unit, margin, new = unpack(ARGV, 2)
local head = redis.call('HMGET', HEAD, 'epoch', 'floor', 'slack')
if (head[1] or '') ~= epoch or (head[2] or '0') ~= floor or (head[3] or '0') ~= slack then return 0 end
local behind = tick(unit) + margin
if tonumber(floor) < behind then floor = text(behind) end
redis.call('SADD', HEADS, layout)
redis.call('HSET', HEAD, 'epoch', server, 'floor', floor, 'slack', new)
return 1
