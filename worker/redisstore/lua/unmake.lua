-- KEYS: the namespace, which must be the one that is expected.
local seal, epoch, floor = unpack(ARGV)
local ns = redis.call('HMGET', KEYS[1], 'seal', 'epoch', 'floor')
if ns[1] ~= seal or ns[2] ~= epoch or ns[3] ~= floor then return 0 end
redis.call('DEL', KEYS[1])
return 1
