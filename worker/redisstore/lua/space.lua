-- KEYS: the record of a layout's worker ids.
written()
return {redis.call('GET', KEYS[1]) or ''}
