package redisstore

import (
	_ "embed"

	"github.com/redis/go-redis/v9"
)

// The scripts, each of which runs as one command of the server: nothing happens
// between its reads and its writes.
var (
	//go:embed lua/prelude.lua
	prelude string
	//go:embed lua/view.lua
	viewLua string
	//go:embed lua/write.lua
	writeLua string
	//go:embed lua/raise.lua
	raiseLua string
	//go:embed lua/quarantine.lua
	quarantineLua string
	//go:embed lua/rows.lua
	rowsLua string
	//go:embed lua/namespace.lua
	namespaceLua string
	//go:embed lua/space.lua
	spaceLua string
	//go:embed lua/swapspace.lua
	swapSpaceLua string
	//go:embed lua/delete.lua
	deleteLua string

	viewScript       = redis.NewScript(prelude + viewLua)
	writeScript      = redis.NewScript(prelude + writeLua)
	raiseScript      = redis.NewScript(prelude + raiseLua)
	quarantineScript = redis.NewScript(prelude + quarantineLua)
	rowsScript       = redis.NewScript(prelude + rowsLua)
	namespaceScript  = redis.NewScript(prelude + namespaceLua)
	spaceScript      = redis.NewScript(prelude + spaceLua)
	swapSpaceScript  = redis.NewScript(prelude + swapSpaceLua)
	deleteScript     = redis.NewScript(prelude + deleteLua)
)
