-- KEYS: the namespace, and the record of the layout's worker ids, which must be the
-- one that is expected. The namespace comes last, when all its rows are there; or it is
-- the one with the seal that is expected, and gets more worker ids.
local seal, epoch, fingerprint, unit, first, last, window, floor, expected, space = unpack(ARGV)
if redis.call('GET', KEYS[2]) ~= space then return 0 end
if (redis.call('HGET', KEYS[1], 'seal') or '') ~= expected then return 0 end
if expected ~= '' then
  redis.call('HSET', KEYS[1], 'first', first, 'last', last, 'seal', seal)
  return 1
end
if epoch ~= server or redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'fingerprint', fingerprint, 'unit', unit, 'first', first, 'last', last,
  'window', window, 'epoch', server, 'floor', floor, 'seal', seal)
return 1
