-- KEYS: rows. A row that is there, from an Init that did not come to its end or
-- runs at this moment, stays as it is.
local high = ARGV[1]
for i, key in ipairs(KEYS) do
  if redis.call('EXISTS', key) == 0 then
    redis.call('HSET', key, 'nonce', ARGV[i + 1], 'held', '0', 'high', high,
      'expires', text(now), 'renewed', text(now), 'owner', '')
  end
end
return 1
