-- KEYS: the namespace. A new epoch begins behind all that the last one may have
-- granted and lost (I7).
local epoch, floor, margin = unpack(ARGV)
local ns = redis.call('HMGET', KEYS[1], 'unit', 'window', 'epoch', 'floor')
if not ns[1] then return -1 end
if ns[3] ~= epoch or ns[4] ~= floor or ns[3] == server then return 0 end
local behind = tick(ns[1]) + ns[2] + margin
redis.call('HSET', KEYS[1], 'epoch', server, 'floor', text(math.max(tonumber(floor), behind)))
return 1
