package worker

import (
	"cmp"
	"math/rand/v2"
	"slices"

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
		return cmp.Or(cmp.Compare(from(a), from(b)), c.Prefer(a, b, c.Owner))
	})
}

// shuffle shuffles as random bits decide.
func shuffle[T any](all []T, random store.Nonce) {
	by := rand.New(rand.NewChaCha8([32]byte(append(random[:], random[:]...))))
	by.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
}

// spread prefers the row that the owner held last, then rows granted least far ahead.
func spread(a, b store.Row, owner string) int {
	ofOwner := func(r store.Row) int {
		if owner != "" && r.Owner == owner {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(ofOwner(a), ofOwner(b)), cmp.Compare(a.High, b.High))
}
