package preset

import (
	"cmp"
	"strconv"

	"github.com/ringuid/ringuid/worker/store"
)

// The ways to choose a worker id, each a [worker.Preference].

// OldestHeartbeat prefers the row that was renewed longest ago. Equal ones are sorted as
// text, 0, 1, 10, 11, 2, as the members of a Redis ZSET are.
func OldestHeartbeat(a, b store.Row, _ string) int {
	return cmp.Or(a.Renewed.Compare(b.Renewed),
		cmp.Compare(strconv.FormatInt(a.Worker, 10), strconv.FormatInt(b.Worker, 10)))
}

// LowestFree prefers the lowest worker id.
func LowestFree(a, b store.Row, _ string) int { return cmp.Compare(a.Worker, b.Worker) }

// sameOwner prefers the row that the owner held last, then rows that were never held, then the
// lowest worker id.
func sameOwner(a, b store.Row, owner string) int {
	return cmp.Or(ownFirst(a, b, owner), first(a.Owner == "", b.Owner == ""),
		cmp.Compare(a.Worker, b.Worker))
}

// ownerOrOldest prefers the row that the owner held last, then the one that was renewed longest
// ago.
func ownerOrOldest(a, b store.Row, owner string) int {
	return cmp.Or(ownFirst(a, b, owner), OldestHeartbeat(a, b, owner))
}

// ownFirst puts the owner's rows, if the owner has a name, before others.
func ownFirst(a, b store.Row, owner string) int {
	return first(owner != "" && a.Owner == owner, owner != "" && b.Owner == owner)
}

// first puts a before b if a alone is preferred.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
