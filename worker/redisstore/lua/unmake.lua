-- KEYS: the namespace, which must be the one that is expected, and all rows of its name,
-- a few keys or, at the most, some hundred milliseconds of them.
local seal, epoch, floor = unpack(ARGV)
local ns = redis.call('HMGET', KEYS[1], 'seal', 'epoch', 'floor')
if ns[1] ~= seal or ns[2] ~= epoch or ns[3] ~= floor then return 0 end
for _, key in ipairs(KEYS) do redis.call('DEL', key) end
return 1
