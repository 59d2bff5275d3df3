-- KEYS: the namespace, and the record of the layout's worker ids, which must be the ones
-- that are expected; and rows. A row that is there, from an Init that did not come to its
-- end or runs at this moment, stays as it is.
local high, expected, space = unpack(ARGV)
if redis.call('GET', KEYS[2]) ~= space then return 0 end
if (redis.call('HGET', KEYS[1], 'seal') or '') ~= expected then return 0 end
for i = 3, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 0 then
    redis.call('HSET', KEYS[i], 'nonce', ARGV[i + 1], 'held', '0', 'high', high,
      'expires', text(now), 'renewed', text(now), 'owner', '')
  end
end
return 1
