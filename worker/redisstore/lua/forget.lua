-- Deletes all heads. HEAD is that of the layout ''.
for _, name in ipairs(redis.call('SMEMBERS', HEADS)) do redis.call('DEL', HEAD .. name) end
return redis.call('DEL', HEADS)
