-- A row that exists stays as it is. Rows left from a set of layouts that was deleted do not
-- exist.
local row = ARGV[2]
if not listed() then
  redis.call('DEL', ROWS)
  redis.call('SADD', LAYOUTS, layout)
end
for i = 3, #ARGV do redis.call('HSETNX', ROWS, ARGV[i], row) end
return 1
