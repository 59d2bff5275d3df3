-- KEYS: the namespace, rows.
written()
local answer = {text(now), server,
  redis.call('HMGET', KEYS[1], 'fingerprint', 'unit', 'first', 'last', 'window', 'epoch', 'floor', 'seal')}
for i = 2, #KEYS do
  answer[i + 2] = redis.call('HMGET', KEYS[i], 'nonce', 'held', 'high', 'expires', 'renewed', 'owner')
end
return answer
