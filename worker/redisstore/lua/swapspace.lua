-- KEYS: the record of a layout's worker ids.
local old, text = unpack(ARGV)
if (redis.call('GET', KEYS[1]) or '') ~= old then return 0 end
redis.call('SET', KEYS[1], text)
return 1
