package leasetest

import (
	"testing"
	"time"

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

	// Synchronous says that the primary acknowledges only what its replica has, too.
	Synchronous bool

	// Forge, when set, has the new server's head say that its floor was raised when it was
	// not. Duplicates must come of it, but where the replica has all that was acknowledged.
	Forge func(server string)
}

// FailOver is a fail-over that loses acknowledged grants, or none of a synchronous pair:
//
//	the replica hears nothing any more
//	processes mint what they were granted, and are granted more, or ask in vain
//	one crashes, one is cut off, one goes on
//	the primary is killed, and the replica, which knows nothing of it, promoted
//	others take over the worker ids of the first two, and the second is back
//
// It returns what was minted twice.
func FailOver(t *testing.T, p Pair) (twice []string) {
	t.Helper()
	h := Start(t, p.Open(), 3)
	crashes, sleeps, goesOn := h.JoinAs(1, p.Open()), h.JoinAs(2, p.Open()), h.JoinAs(3, p.Open())
	began := ViewInTime(t, p.Open())
	for _, m := range h.all {
		m.Reaches(began.Floor)
	}
	p.Hold()
	if p.Synchronous {
		time.Sleep(2 * timeout) // grants are written, and not acknowledged
	} else {
		known := ViewInTime(t, p.Open()) // a replica in step knows this at most
		for i, m := range h.all {
			m.Reaches(known.Rows[i].High + ahead)
		}
	}
	crashes.Crash()
	sleeps.CutOff()
	p.Promote()

	found := ViewInTime(t, p.Replica)
	require.NotEqual(t, began.Server, found.Server, "the replica is another server")
	var granted int64
	for i, m := range h.all {
		_, hi := m.Lease().Grant()
		granted = max(granted, hi)
		if p.Synchronous {
			assert.GreaterOrEqual(t, found.Rows[i].High, hi, "it was granted what the replica has not")
		} else {
			require.Less(t, found.Rows[i].High, m.Last(), "it minted what the replica has not")
		}
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

	if raised := ViewInTime(t, p.Replica); p.Forge == nil {
		assert.Equal(t, found.Server, raised.Epoch)
		assert.Greater(t, raised.Floor, granted, "above all that was granted and lost")
		assert.Greater(t, raised.Floor, raised.TickAt(found.Now)+raised.Window())
	}
	return h.Duplicates()
}
