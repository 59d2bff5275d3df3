-- The worker id '' stands for all rows. A view that replicas have to confirm writes something,
-- since WAIT waits for what its own connection wrote, and all before it.
local worker, confirmed, least = unpack(ARGV, 2)
if confirmed == '1' and (least ~= '0' or info('replication', 'min_slaves_good_slaves')) then
  redis.call('SET', string.sub(LAYOUTS, 1, -8) .. 'view', text(now))
end
local head = redis.call('HMGET', HEAD, 'epoch', 'floor', 'slack')
local rows = {}
if listed() and worker == '' then
  rows = redis.call('HGETALL', ROWS)
elseif listed() then
  local row = redis.call('HGET', ROWS, worker)
  if row then rows = {worker, row} end
end
return {{text(now), server, head[1] or '', head[2] or '0', head[3] or '0'}, rows,
  redis.call('SMEMBERS', LAYOUTS)}
