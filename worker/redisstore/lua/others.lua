-- Returns for each other layout the open row that was granted furthest, any row if none is
-- open, and none if there are no rows. An edited row counts as furthest, so that the reader
-- sees and refuses it.
local answer = {}
for i = 4, #KEYS do
  local rows, best, furthest = redis.call('HGETALL', KEYS[i]), 1, nil
  for j = 1, #rows, 2 do
    local high = string.match(rows[j + 1], '^%x+ (%S+) ')
    if high ~= '-' then
      high = high and tonumber(high) or math.huge
      if not furthest or high > furthest then best, furthest = j, high end
    end
  end
  answer[i - 3] = {rows[best], rows[best + 1]}
end
return answer
