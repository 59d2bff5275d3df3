-- A row that exists stays as it is. If the layout is not listed, rows that are left of it do not
-- count, and are deleted.
local row = ARGV[2]
if not listed() then
  redis.call('DEL', ROWS)
  redis.call('SADD', LAYOUTS, layout)
end
for i = 3, #ARGV do redis.call('HSETNX', ROWS, ARGV[i], row) end
return 1
