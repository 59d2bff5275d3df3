-- KEYS: the layouts, the rows of the one that is deleted, or of all. Rows of a layout that
-- came since the caller listed them are deleted with the set of layouts.
if ARGV[1] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SREM', KEYS[1], ARGV[1])
end
for i = 2, #KEYS do redis.call('DEL', KEYS[i]) end
return 1
