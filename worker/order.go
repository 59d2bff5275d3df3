package worker

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/ringuid/ringuid/worker/store"
)

// Order sorts the rows that may be taken, the preferred ones first. It decides who gets
// which worker id, never whether that is safe: any row is taken over by one compare-and-set,
// and its grant begins above everything that was granted before.
//
// So the grant of a row that was in use a moment ago begins in the future: with ticks of a
// day, up to a day from now. [Leased] takes the first of the returned rows whose grant may
// begin now, or, if there is none, the one whose grant begins soonest.
type Order func(free []store.Row, c Claim) []store.Row

// earliest is the first of the rows whose grant begins now, or else the one whose grant
// begins soonest.
func earliest(v store.View, rows []store.Row) store.Row {
	now := v.TickAt(v.Now)
	from := func(r store.Row) int64 { return max(v.Next(r), now) }
	return slices.MinFunc(rows, func(a, b store.Row) int { return cmp.Compare(from(a), from(b)) })
}

// Spread prefers the row that the claim's owner held last, then rows granted least far
// ahead. Equal ones come in random order, so that processes which start at the same time
// do not all try the same row.
func Spread(free []store.Row, c Claim) []store.Row {
	shuffle(free, c.chance)
	return sorted(free, func(a, b store.Row) int {
		return cmp.Or(ownFirst(c)(a, b), cmp.Compare(a.High, b.High))
	})
}

// shuffle shuffles as random bits decide.
func shuffle[T any](all []T, random store.Nonce) {
	by := rand.New(rand.NewChaCha8([32]byte(append(random[:], random[:]...))))
	by.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
}

// OldestHeartbeat prefers the row that was renewed longest ago. Equal ones are sorted as
// text, 0, 1, 10, 11, 2, as the members of a Redis ZSET are.
func OldestHeartbeat(free []store.Row, _ Claim) []store.Row {
	return sorted(free, func(a, b store.Row) int {
		return cmp.Or(a.Renewed.Compare(b.Renewed),
			cmp.Compare(strconv.FormatInt(a.Worker, 10), strconv.FormatInt(b.Worker, 10)))
	})
}

// LowestFree prefers the lowest worker id.
func LowestFree(free []store.Row, _ Claim) []store.Row { return sorted(free, byWorker) }

// SameOwner prefers the row that the claim's owner held last, then rows that nobody has
// ever held, then the lowest worker id.
func SameOwner(free []store.Row, c Claim) []store.Row {
	unowned := before(func(r store.Row) bool { return r.Owner == "" })
	return sorted(free, func(a, b store.Row) int {
		return cmp.Or(ownFirst(c)(a, b), unowned(a, b), byWorker(a, b))
	})
}

// OwnerOrOldest prefers the row that the claim's owner held last, then the one that was
// renewed longest ago.
func OwnerOrOldest(free []store.Row, c Claim) []store.Row {
	return sorted(OldestHeartbeat(free, c), ownFirst(c))
}

func sorted(rows []store.Row, by func(a, b store.Row) int) []store.Row {
	slices.SortStableFunc(rows, by)
	return rows
}

func byWorker(a, b store.Row) int { return cmp.Compare(a.Worker, b.Worker) }

// ownFirst puts rows of the claim's owner before others.
func ownFirst(c Claim) func(a, b store.Row) int {
	return before(func(r store.Row) bool { return c.Owner != "" && r.Owner == c.Owner })
}

// before puts rows that are preferred before others.
func before(preferred func(store.Row) bool) func(a, b store.Row) int {
	return func(a, b store.Row) int {
		switch {
		case preferred(a) == preferred(b):
			return 0
		case preferred(a):
			return -1
		}
		return 1
	}
}
