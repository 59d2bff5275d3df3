package worker

import (
	"cmp"
	"strconv"

	"github.com/ringuid/ringuid/worker/store"
)

// A Preference says which worker id [Leased] prefers of those that may be taken. It decides which
// process gets which worker id, never whether that is safe.
//
// The grant of a worker id that was in use a moment ago begins in the future: with ticks of a day,
// up to a day from now. Leased takes the preferred one of those whose grant may begin now or, if
// there are none, of those whose grant begins soonest. Among equal ones it takes a random one, so
// that processes that start at the same time do not all try the same one.
type Preference uint8

const (
	// OwnThenSoonest prefers the one that the owner held last, then the one that is granted least
	// far ahead.
	OwnThenSoonest Preference = iota
	// OwnThenNew prefers the one that the owner held last, then those that nobody ever held, then
	// the lowest.
	OwnThenNew
	// OwnThenOldest prefers the one that the owner held last, then the one that was renewed longest
	// ago.
	OwnThenOldest
	// Oldest prefers the one that was renewed longest ago. Equal ones are sorted as text, 0, 1, 10,
	// 11, 2, as the members of a Redis ZSET are.
	Oldest
	// Lowest prefers the lowest.
	Lowest
)

// preferences compare two rows as cmp.Compare does: below zero if a process named owner prefers a.
var preferences = []func(a, b store.Row, owner string) int{
	OwnThenSoonest: func(a, b store.Row, owner string) int {
		return cmp.Or(own(a, b, owner), cmp.Compare(a.High, b.High))
	},
	OwnThenNew: func(a, b store.Row, owner string) int {
		return cmp.Or(own(a, b, owner), first(a.Owner == "", b.Owner == ""), lowest(a, b, owner))
	},
	OwnThenOldest: func(a, b store.Row, owner string) int {
		return cmp.Or(own(a, b, owner), oldest(a, b, owner))
	},
	Oldest: oldest,
	Lowest: lowest,
}

func oldest(a, b store.Row, _ string) int {
	return cmp.Or(a.Renewed.Compare(b.Renewed),
		cmp.Compare(strconv.FormatInt(a.Worker, 10), strconv.FormatInt(b.Worker, 10)))
}

func lowest(a, b store.Row, _ string) int { return cmp.Compare(a.Worker, b.Worker) }

// own puts the owner's rows, if the owner has a name, before others.
func own(a, b store.Row, owner string) int {
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
