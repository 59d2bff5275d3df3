package redisstore

import (
	"embed"

	"github.com/redis/go-redis/v9"
)

//go:embed lua
var lua embed.FS

// script is one of the folder lua. It runs as one command of the server: nothing happens
// between its reads and its writes.
func script(name string) *redis.Script {
	prelude, _ := lua.ReadFile("lua/prelude.lua") // both are parts of the program
	source, _ := lua.ReadFile("lua/" + name + ".lua")
	return redis.NewScript(string(prelude) + string(source))
}
