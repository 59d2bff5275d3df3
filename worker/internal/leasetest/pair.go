package leasetest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

const ahead = 2 // ticks that are waited for

// Pair is a primary and its replica.
type Pair struct {
	Open    func() store.Store // a process' own way to the primary, whoever that is
	Replica store.Store        // straight to the replica, once it is promoted
	Hold    func()             // from now on the replica hears nothing; called when it is in step
	Promote func()             // ends the primary and makes the replica one
	Turn    func()             // has those that Open returned find it

	// Forge, when set, has the new server's head say that its floor was
	// raised when it was not. Duplicates must come of it.
	Forge func(server string)
}

// Lossy is a fail-over that loses acknowledged grants:
//
//	the replica hears nothing any more
//	processes mint what they were granted, and are granted more
//	one crashes, one is cut off, one goes on
//	the primary is killed, and the replica, which knows nothing of it, promoted
//	others take over the worker ids of the first two, and the second is back
//
// It returns what was minted twice: nothing, but with Forge some, or the test could find
// nothing.
func Lossy(t *testing.T, p Pair) (twice []string) {
	t.Helper()
	h, crashes, sleeps, goesOn := three(t, p)
	p.Hold()
	observer := p.Open()
	known := h.View(observer) // the replica knows this at most
	for i, m := range h.all {
		m.Reaches(known.Rows[i].High + ahead)
	}
	crashes.Crash()
	sleeps.CutOff()
	granted := slices.Max(highs(h.View(observer)))
	p.Promote()

	found := h.View(p.Replica)
	require.NotEqual(t, known.Server, found.Server, "the replica is another server")
	for i, m := range h.all {
		require.Less(t, found.Rows[i].High, m.Last(),
			"it minted ticks that the replica does not know as granted")
	}
	if p.Forge != nil {
		p.Forge(found.Server)
		// or it might be first to see that its grants are lost, and raise the floor itself
		goesOn.CutOff()
	}
	p.Turn()

	heir, thief := h.JoinAs(1, p.Open()), h.JoinAs(2, p.Open())
	heir.Reaches(granted + ahead)
	thief.Reaches(granted + ahead)
	goesOn.Mend()
	goesOn.Reaches(granted + ahead)
	sleeps.Mend()
	thief.Crash() // the claim of who was cut off is for this worker id alone
	sleeps.Reaches(granted + ahead)

	if raised := h.View(observer); p.Forge == nil {
		assert.Equal(t, found.Server, raised.Epoch)
		assert.Greater(t, raised.Floor, granted, "above all that was granted and lost")
		assert.Greater(t, raised.Floor, raised.TickAt(found.Now)+raised.Window())
	}
	return h.Duplicates()
}

// Lossless is a fail-over of a server that acknowledges only what its replica has, too.
// It returns what was minted twice: nothing, although the floor does not rise.
func Lossless(t *testing.T, p Pair) (twice []string) {
	t.Helper()
	h, crashes, sleeps, goesOn := three(t, p)
	p.Hold()
	for _, m := range h.all {
		m.fails(2)
	}
	crashes.Crash()
	sleeps.CutOff()
	var granted []int64
	for _, m := range h.all {
		_, hi := m.Lease().Grant()
		granted = append(granted, hi)
	}
	p.Promote()

	found := h.View(p.Replica)
	for i, r := range found.Rows {
		assert.GreaterOrEqual(t, r.High, granted[i],
			"worker id %d: a grant was believed that the replica does not have", r.Worker)
	}
	p.Forge(found.Server)
	p.Turn()
	heir := h.JoinAs(1, p.Open())
	for _, m := range []*Holder{goesOn, heir} {
		m.Reaches(slices.Max(granted) + ahead)
	}
	sleeps.Mend()
	sleeps.Reaches(slices.Max(granted) + ahead)
	return h.Duplicates()
}

// three are processes with the worker ids 1 to 3, which have minted.
func three(t *testing.T, p Pair) (h *Holders, one, two, three *Holder) {
	t.Helper()
	h = Start(t, p.Open(), 3)
	one, two, three = h.JoinAs(1, p.Open()), h.JoinAs(2, p.Open()), h.JoinAs(3, p.Open())
	floor := h.View(p.Open()).Floor
	for _, m := range h.all {
		m.Reaches(floor)
	}
	return h, one, two, three
}

// highs are how far the rows of a view are granted.
func highs(v store.View) (all []int64) {
	for _, r := range v.Rows {
		all = append(all, r.High)
	}
	return all
}
