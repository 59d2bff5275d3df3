-- The whole text of a row that was created and is not open is known.
local created, opened = unpack(ARGV, 2, 3)
if not listed() then return 1 end
for i = 4, #ARGV do
  if redis.call('HGET', ROWS, ARGV[i]) == created then
    redis.call('HSET', ROWS, ARGV[i], opened)
  end
end
return 1
