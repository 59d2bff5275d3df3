package main

import "path"

// columns is how long a line of Go may be; a tab counts as one.
const columns = 100

// room is a folder with a budget, which is zero if it has none of its own. What lies below it
// belongs to it too, unless that is itself a room.
type room struct {
	name     string
	lines    int  // of Go, without tests
	names    int  // exported, with methods and fields
	imported bool // by users: its own exported names count
}

var rooms = []*room{
	{name: "uid", lines: 3400, names: 130, imported: true},
	{name: "ringbuffer", lines: 500, names: 15, imported: true},
	{name: "padding", lines: 600, names: 15, imported: true},
	{name: "policy", lines: 220, names: 30, imported: true},
	{name: "preset", lines: 600, names: 25, imported: true},
	{name: "worker", lines: 1900, names: 65, imported: true},
	{name: "worker/store", lines: 350, names: 20, imported: true},
	{name: "worker/memstore", lines: 200, imported: true},
	{name: "worker/storetest", lines: 1300},
	{name: "worker/sqlstore", lines: 1500, names: 20, imported: true},
	{name: "worker/redisstore", lines: 650, imported: true},
	{name: "worker/etcdstore", lines: 250, imported: true},
	{name: "worker/zkstore", lines: 300, imported: true},
	{name: "worker/k8sstore", lines: 700, imported: true},
	{name: "worker/internal", lines: 700},
	{name: "opaque", lines: 450, names: 30, imported: true},
	{name: "typeid", lines: 320, names: 20, imported: true},
	{name: "bwmarrin", lines: 130, names: 10, imported: true},
	{name: "metrics", lines: 120, names: 5, imported: true},
	{name: "bench", lines: 2300, names: 30, imported: true},
	{name: "bench/rivals", lines: 700},
	{name: "bench/keys", lines: 600},
	{name: "cmd/uidbench", lines: 6500},
	{name: "internal", lines: 2600},
	{name: "examples", lines: 700},
	{name: "tools", lines: 250},
	{name: "."}, // what is nowhere else
}

// The budget of the whole repository.
var budget = struct{ lines, tests, names, modules, flags, docs int }{
	lines: 28000, tests: 31000, names: 480, modules: 8, flags: 120, docs: 2000,
}

// roomOf returns the room that a file lies in.
func roomOf(file string) *room {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		for _, r := range rooms {
			if r.name == dir {
				return r
			}
		}
	}
}
