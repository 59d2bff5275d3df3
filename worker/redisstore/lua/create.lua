-- A row that is there stays as it is; one that is left of a set of layouts that was deleted is
-- not there.
local row = ARGV[2]
if not listed() then
  redis.call('DEL', ROWS)
  redis.call('SADD', LAYOUTS, layout)
end
for i = 3, #ARGV do redis.call('HSETNX', ROWS, ARGV[i], row) end
return 1
