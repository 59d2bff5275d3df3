-- KEYS: the namespace.
local have = redis.call('HGET', KEYS[1], 'floor')
if not have then return -1 end
if tonumber(ARGV[1]) > tonumber(have) then redis.call('HSET', KEYS[1], 'floor', ARGV[1]) end
return 1
