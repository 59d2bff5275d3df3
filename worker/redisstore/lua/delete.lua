-- Deletes the rows of one layout, or of all if it is ''. The rows of a layout that was added
-- after the caller listed the layouts are deleted with the set of layouts.
if layout == '' then
  redis.call('DEL', LAYOUTS)
else
  redis.call('SREM', LAYOUTS, layout)
end
for i = 3, #KEYS do redis.call('DEL', KEYS[i]) end
return 1
