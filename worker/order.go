package worker

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// Preference compares two rows that may be taken, as cmp.Compare does: below zero if the process
// that is called owner prefers a. It decides who gets which worker id, never whether that is
// safe: any row is taken over by one compare-and-set, and its grant begins above everything
// that was granted before.
//
// So the grant of a row that was in use a moment ago begins in the future: with ticks of a
// day, up to a day from now. [Leased] takes the preferred one of the rows whose grant may begin
// now, or, if there is none, of those whose grant begins soonest. Of equal ones it takes any, so
// that processes which start at the same time do not all try the same row.
type Preference func(a, b store.Row, owner string) int

// best is the row to take.
func best(v store.View, rows []store.Row, c Claim, random store.Nonce) store.Row {
	shuffle(rows, random)
	now := v.TickAt(v.Now)
	from := func(r store.Row) int64 { return max(grants.Next(v, r), now) }
	return slices.MinFunc(rows, func(a, b store.Row) int {
		return cmp.Or(cmp.Compare(from(a), from(b)), c.Order(a, b, c.Owner))
	})
}

// shuffle shuffles as random bits decide.
func shuffle[T any](all []T, random store.Nonce) {
	by := rand.New(rand.NewChaCha8([32]byte(append(random[:], random[:]...))))
	by.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
}

// Spread prefers the row that the owner held last, then rows granted least far ahead.
func Spread(a, b store.Row, owner string) int {
	return cmp.Or(ownFirst(a, b, owner), cmp.Compare(a.High, b.High))
}

// OldestHeartbeat prefers the row that was renewed longest ago. Equal ones are sorted as
// text, 0, 1, 10, 11, 2, as the members of a Redis ZSET are.
func OldestHeartbeat(a, b store.Row, _ string) int {
	return cmp.Or(a.Renewed.Compare(b.Renewed),
		cmp.Compare(strconv.FormatInt(a.Worker, 10), strconv.FormatInt(b.Worker, 10)))
}

// LowestFree prefers the lowest worker id.
func LowestFree(a, b store.Row, _ string) int { return cmp.Compare(a.Worker, b.Worker) }

// SameOwner prefers the row that the owner held last, then rows that nobody has ever held, then
// the lowest worker id.
func SameOwner(a, b store.Row, owner string) int {
	return cmp.Or(ownFirst(a, b, owner), first(a.Owner == "", b.Owner == ""),
		cmp.Compare(a.Worker, b.Worker))
}

// OwnerOrOldest prefers the row that the owner held last, then the one that was renewed longest
// ago.
func OwnerOrOldest(a, b store.Row, owner string) int {
	return cmp.Or(ownFirst(a, b, owner), OldestHeartbeat(a, b, owner))
}

// ownFirst puts rows of an owner who has a name before others.
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
