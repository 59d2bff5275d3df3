-- Goes before each script: what all of them are called with, the server's clock in
-- milliseconds, and which incarnation of which server this is. KEYS from the fifth on are the
-- rows of other layouts. Numbers that leave a script are text, and whole ones below 2^53,
-- which a double holds exactly.
local LAYOUTS, VIEW, HEAD, ROWS = unpack(KEYS, 1, 4)
local layout = ARGV[1]

local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local function info(section, field)
  return string.match(redis.call('INFO', section), '\n' .. field .. ':([^\r\n]*)')
end

if info('replication', 'role') ~= 'master' then
  return redis.error_reply('READONLY this server is a replica')
end
local server = info('server', 'run_id') .. '.' .. info('replication', 'master_replid')
if info('cluster', 'cluster_enabled') == '1' then
  -- A node to which a slot comes back is the same, and what comes back may be older than
  -- what was granted elsewhere meanwhile. Who gets a slot has the newest epoch by that.
  server = server .. '.' .. string.match(redis.call('CLUSTER', 'INFO'), 'cluster_my_epoch:(%d+)')
end

local function text(number) return string.format('%.0f', number) end

local function tick(unit) return (now - now % unit) / unit end

-- Rows count only if their layout is in the set of layouts. So whoever deletes the set deletes
-- all rows, and nobody overlooks the rows of another layout.
local function listed() return redis.call('SISMEMBER', LAYOUTS, layout) == 1 end
