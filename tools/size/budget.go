package main

import "strings"

// columns is how long a line of Go may be; a tab is one of them.
const columns = 100

// room is a part of the repository with a budget: zero where it has none of its own.
type room struct {
	name    string
	folders []string // with what lies below them, unless another room has it
	lines   int      // of Go, without tests
	names   int      // exported, with methods and fields
}

var rooms = []*room{
	{name: "uid", lines: 3400, names: 130},
	{name: "ringbuffer", lines: 500, names: 15},
	{name: "padding", lines: 600, names: 15},
	{name: "policy", lines: 220, names: 30},
	{name: "preset", lines: 600, names: 25},
	{name: "worker", lines: 1900, names: 65},
	{name: "worker/store", lines: 350, names: 20},
	{name: "worker/memstore", lines: 200},
	{name: "worker/storetest", lines: 1300},
	{name: "worker/sqlstore", lines: 1500, names: 20},
	{name: "worker/redisstore", lines: 650},
	{name: "worker/etcdstore", lines: 250},
	{name: "worker/zkstore", lines: 300},
	{name: "worker/k8sstore", lines: 700},
	{name: "worker/internal", lines: 700},
	{name: "ids shown", folders: []string{"opaque", "typeid", "bwmarrin"}, lines: 900, names: 60},
	{name: "metrics", lines: 120, names: 5},
	{name: "bench", lines: 2300, names: 30},
	{name: "bench/rivals", lines: 700},
	{name: "bench/keys", lines: 600},
	{name: "cmd/uidbench", lines: 6500},
	{name: "internal", lines: 2600},
	{name: "examples", lines: 700},
	{name: "tools", lines: 250},
	{name: "elsewhere", folders: []string{""}},
}

// The whole's budget.
var budget = struct{ lines, tests, names, modules, flags, docs int }{
	lines: 34000, tests: 35000, names: 480, modules: 8, flags: 120, docs: 2000,
}

// users is what users import: its exported names count.
var users = []string{
	"uid", "worker", "worker/store", "policy", "preset", "worker/sqlstore", "worker/memstore",
	"worker/redisstore", "worker/etcdstore", "worker/zkstore", "worker/k8sstore", "metrics",
	"opaque", "typeid", "bwmarrin", "bench", "ringbuffer", "padding",
}

// roomOf is the room that a file lies in: the one with the longest folder.
func roomOf(file string) *room {
	var best *room
	longest := -1
	for _, r := range rooms {
		folders := r.folders
		if folders == nil {
			folders = []string{r.name}
		}
		for _, f := range folders {
			if (f == "" || strings.HasPrefix(file, f+"/")) && len(f) > longest {
				best, longest = r, len(f)
			}
		}
	}
	return best
}
