-- KEYS: the layouts, the rows. The text of a row that was created and is not open is known,
-- all of it.
local layout, created, opened = unpack(ARGV, 1, 3)
if not listed(layout) then return 1 end
for i = 4, #ARGV do
  if redis.call('HGET', KEYS[2], ARGV[i]) == created then
    redis.call('HSET', KEYS[2], ARGV[i], opened)
  end
end
return 1
