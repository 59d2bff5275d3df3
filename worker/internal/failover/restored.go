package failover

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker/store"
)

// restorable is the window of what is restored: however long that takes, the ids that were
// granted before are still of the future then.
const restorable = 5 * time.Minute

// Restorable is a store whose servers an operator puts back to an older state.
type Restorable struct {
	Open   func() store.Store      // a process' own way to it
	Backup func() (restore func()) // keeps the state of now
}

// RestoredUnderHolders is a backup restored while generators go on:
//
//	a backup is kept
//	generators take what they were granted, and are granted more
//	one crashes, one is cut off, one goes on
//	the backup is restored
//	the last notices that it went back, and raises the floor
//	another takes over the worker id of the first, and the second is back
//
// It returns the duplicate ids: none.
func RestoredUnderHolders(t *testing.T, r Restorable) (twice []uid.ID) {
	t.Helper()
	h := Start(t, r.Open(), 3, restorable)
	crashes, sleeps, goesOn := h.JoinAs(1, r.Open()), h.JoinAs(2, r.Open()), h.JoinAs(3, r.Open())
	granted := h.restore(r, func() {
		crashes.Crash()
		sleeps.CutOff()
	})
	observer := r.Open()
	raised := h.View(observer).Floor
	h.Until("the floor is above all that was granted and lost", func() error {
		if raised = h.View(observer).Floor; raised <= granted {
			return fmt.Errorf("it is %d, and was granted until %d", raised, granted)
		}
		return nil
	})
	heir := h.JoinAs(1, r.Open())
	sleeps.Mend()
	for _, m := range []*Holder{goesOn, heir, sleeps} {
		m.Reaches(raised + 20)
	}
	return h.Duplicates()
}

// RestoredWhileNobodyLooked is a backup restored while no generator runs. Those that start
// then have seen nothing: only a quarantine keeps them from what was granted, so without one
// there are duplicates.
func RestoredWhileNobodyLooked(t *testing.T, r Restorable, quarantine bool) (twice []uid.ID) {
	t.Helper()
	h := Start(t, r.Open(), 2, restorable)
	one, two := h.JoinAs(1, r.Open()), h.JoinAs(2, r.Open())
	granted := h.restore(r, func() {
		one.Crash()
		two.Crash()
	})
	if quarantine {
		require.NoError(t, r.Open().Quarantine(t.Context(), Namespace, granted+1))
	}
	for id := range int64(2) {
		h.JoinAs(id+1, r.Open()).Reaches(granted + 20)
	}
	return h.Duplicates()
}

// restore keeps a backup, has all take ids that it does not know as granted, and restores
// it when those have crashed that shall. It returns the last tick that anybody had been
// granted before.
func (h *Holders) restore(r Restorable, crash func()) (granted int64) {
	h.t.Helper()
	floor := h.View(r.Open()).Floor
	for _, m := range h.all {
		m.Reaches(floor)
	}
	restore := r.Backup()
	known := h.View(r.Open())
	for i, m := range h.all {
		m.Reaches(known.Rows[i].High + 50)
	}
	crash()
	granted = max(h.history.highest(), slices.Max(highs(h.View(r.Open()))))
	h.history.restored()
	restore()
	return granted
}
