-- KEYS: the record of a layout's worker ids.
return {redis.call('GET', KEYS[1]) or ''}
