-- KEYS: the namespace. It comes last, when all its rows are there.
local epoch, fingerprint, unit, first, last, window, floor = unpack(ARGV)
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
if epoch ~= server then return -1 end
redis.call('HSET', KEYS[1], 'fingerprint', fingerprint, 'unit', unit,
  'first', first, 'last', last, 'window', window, 'epoch', server, 'floor', floor)
return 1
