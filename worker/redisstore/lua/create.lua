-- KEYS: the layouts, the rows. A row that is there stays as it is; one that is left of a set
-- of layouts that was deleted is not there.
local layout, row = unpack(ARGV, 1, 2)
if not listed(layout) then
  redis.call('DEL', KEYS[2])
  redis.call('SADD', KEYS[1], layout)
end
for i = 3, #ARGV do redis.call('HSETNX', KEYS[2], ARGV[i], row) end
return 1
