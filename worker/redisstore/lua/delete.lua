-- KEYS: the namespace, and the record of the layout's worker ids, which must be the ones
-- that are expected; and all rows that this record has for its name: some hundred
-- milliseconds of them at the most.
local seal, epoch, floor, space = unpack(ARGV)
if redis.call('GET', KEYS[2]) ~= space then return 0 end
local ns = redis.call('HMGET', KEYS[1], 'seal', 'epoch', 'floor')
if ns[1] ~= seal or ns[2] ~= epoch or ns[3] ~= floor then return 0 end
redis.call('DEL', KEYS[1])
for i = 3, #KEYS do redis.call('DEL', KEYS[i]) end
return 1
