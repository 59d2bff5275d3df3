-- Precedes each script: the arguments that all have in common, the server's clock in
-- milliseconds, and which incarnation of which server this is. KEYS from the fourth on are the
-- rows of other layouts; while a slot is moved, all KEYS have to be there. Numbers leave a script as
-- text, and are whole and below 2^53, so a double holds them exactly.
local LAYOUTS, HEAD, ROWS = unpack(KEYS, 1, 3)
local layout = ARGV[1]
local HEADS = string.sub(HEAD, 1, #HEAD - #layout - 1) .. 's' -- the layouts that have one

local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local function info(section, field)
  return string.match(redis.call('INFO', section), '\n' .. field .. ':([^\r\n]*)')
end

local role, replication = info('replication', 'role'), info('replication', 'master_replid')
local run = info('server', 'run_id')
if not role or not replication or not run then
  return redis.error_reply('NAMELESS this server does not say which it is')
end
if role ~= 'master' then return redis.error_reply('READONLY this server is a replica') end
local server = run .. '.' .. replication
if info('cluster', 'cluster_enabled') == '1' then
  -- A node to which a slot returns is the same, but what returns may be older than what was
  -- granted elsewhere meanwhile. The node that receives a slot thereby has the newest epoch.
  local epoch = string.match(redis.call('CLUSTER', 'INFO'), 'cluster_my_epoch:(%d+)')
  if not epoch then return redis.error_reply('NAMELESS this node does not say its config epoch') end
  server = server .. '.' .. epoch
end

local function text(number) return string.format('%.0f', number) end

local function tick(unit) return (now - now % unit) / unit end

-- Rows count only if their layout is in the set of layouts. So deleting the set deletes all
-- rows, and no process overlooks the rows of another layout.
local function listed() return redis.call('SISMEMBER', LAYOUTS, layout) == 1 end
