package leasetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/worker/store"
)

// Rewind is a store that goes back to an earlier state under its holders: a backup is restored,
// or a replica that has not received the latest grants is promoted.
type Rewind struct {
	Open func() store.Store     // a process's own client of whichever server there is
	Keep func() (goBack func()) // keeps the present state, to which goBack returns

	Crash  int // how many of the three holders crash before goBack, and are replaced
	CutOff int // how many of the others are cut off, replaced, and reconnected later

	// Synchronous says that from Keep on the server acknowledges nothing that goBack loses.
	Synchronous bool

	// Then is called with the store's view of the earlier state, before other processes join.
	Then func(store.View)
}

// Play returns how many ids were taken twice.
func (r Rewind) Play(t *testing.T) (twice int) {
	t.Helper()
	var heirs []*Holder
	h := Start(t, r.Open(), 3)
	for range 3 {
		h.Join(r.Open())
	}
	h.GoOn("they have worker ids")
	goBack := r.Keep()
	if r.Synchronous {
		time.Sleep(2 * timeout) // grants are written, but not acknowledged
	} else {
		h.GoOn("they were granted more")
	}
	away, live := h.all[:r.Crash+r.CutOff], h.all[r.Crash+r.CutOff:]
	for i, m := range away {
		if i < r.Crash {
			m.Crash()
		} else {
			m.CutOff()
		}
	}
	lost := len(away) > 0
	for _, m := range live {
		if lost { // else it may change the rows that are compared
			m.CutOff()
		}
	}
	goBack()

	v := View(t, r.Open())
	if lost {
		high, last := v.Rows[away[0].Stats().WorkerID-1].High, away[0].Last()
		assert.Equal(t, r.Synchronous, high >= last, "%d, of %d", high, last)
	}
	for _, m := range live {
		m.Mend()
	}
	if r.Then != nil {
		r.Then(v)
	}
	for range away {
		heirs = append(heirs, h.Join(r.Open()))
	}
	h.GoOn("others have the worker ids of those who are away")
	for i, m := range away[r.Crash:] {
		heirs[i].Crash()
		m.Mend()
		h.GoOn("one who was cut off is back")
	}
	return h.Duplicates()
}

// Server is a server of package testserver.
type Server interface {
	Start()
	Stop()
	Snapshot() (restore func())
}

// Backup returns a Keep for a server of the test's own, whose data is restored from a copy.
func Backup(server Server) func() (goBack func()) {
	return func() (goBack func()) {
		server.Stop()
		defer server.Start()
		restore := server.Snapshot()
		return func() {
			server.Stop()
			defer server.Start()
			restore()
		}
	}
}
