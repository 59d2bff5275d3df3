-- KEYS: the layouts, the head, the rows, and for a view that replicas have to confirm one
-- more: WAIT waits for what its own connection wrote, and all before it, so the view writes
-- something. The worker id is '' for all rows.
local layout, worker = unpack(ARGV)
if KEYS[4] then redis.call('SET', KEYS[4], text(now)) end
local head = redis.call('HMGET', KEYS[2], 'epoch', 'floor')
local rows = {}
if listed(layout) and worker == '' then
  rows = redis.call('HGETALL', KEYS[3])
elseif listed(layout) then
  local row = redis.call('HGET', KEYS[3], worker)
  if row then rows = {worker, row} end
end
return {{text(now), server, head[1] or '', head[2] or '0'}, rows, redis.call('SMEMBERS', KEYS[1])}
