-- KEYS: the namespace, which must not be there, the record of the layout's worker ids,
-- which must be the one that is expected, and rows.
if redis.call('EXISTS', KEYS[1]) == 1 or redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
for i = 3, #KEYS do redis.call('DEL', KEYS[i]) end
return 1
