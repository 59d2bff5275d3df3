package redisstore

import (
	"embed"

	"github.com/redis/go-redis/v9"
)

//go:embed lua
var lua embed.FS

// The scripts, each of which runs as one command of the server: nothing happens
// between its reads and its writes.
var (
	viewScript   = script("view")
	othersScript = script("others")
	createScript = script("create")
	openScript   = script("open")
	writeScript  = script("write")
	raiseScript  = script("raise")
	deleteScript = script("delete")
)

func script(name string) *redis.Script {
	prelude, _ := lua.ReadFile("lua/prelude.lua") // both are parts of the program
	source, _ := lua.ReadFile("lua/" + name + ".lua")
	return redis.NewScript(string(prelude) + string(source))
}
