package worker

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// Two schedules that leases without one of the rules fall into.

// A sleeper must not extend a grant under a floor that it has not seen.
func TestScheduleFloorUnseen(t *testing.T) {
	l := newSchedule(t, 1)
	l.tick = 100
	a := l.actor("A").acquire()
	a.mint(130)
	before := l.mem.Snapshot()

	l.tick = 195 // A sleeps, its lease has expired
	b := l.actor("B").acquire()
	_, hi := b.grants()
	require.Equal(t, int64(255), hi)
	b.mint(200)

	l.mem.Rollback(before) // fail-over: B's write is lost
	l.mem.Restart("second")
	c := l.actor("C")
	_, err := c.readRow()
	require.NoError(t, err)
	floor := rel(l.view(0, 0).Floor)
	require.Equal(t, int64(195+60+5+1), floor)

	// A wakes with a view from before, and the row's nonce is still its own.
	stale := store.View{Pool: schedulePool, Server: "first", Now: l.now(), Rows: l.view(0, 0).Rows}
	stale.Epoch, stale.Floor = "first", scheduleStart.Unix()
	require.NoError(t, a.see(stale))
	w, due := a.due(stale, a.last, true, a.claim.nonce())
	require.True(t, due)
	assert.False(t, a.send(w), "it extends under a floor that it does not know")
	a.mint(1000)
	assert.Equal(t, int64(160), rel(a.last), "what was granted is used up, and no more")

	l.tick = 202 // now it reads, and goes on above the floor
	require.True(t, a.extend())
	a.mint(1000)
	lo, _ := a.grants()
	assert.Equal(t, floor, lo)
	b.mint(1000)
}

// A clone that extends first must not mint what its original may have minted.
func TestScheduleClone(t *testing.T) {
	l := newSchedule(t, 1)
	l.tick = 100
	original := l.actor("original").acquire()
	original.mint(110)
	clone := original.copy("clone")
	original.mint(150)

	l.tick = 120
	clone.restore()
	require.True(t, clone.extend())
	lo, hi := clone.grants()
	assert.Equal(t, []int64{161, 180}, []int64{lo, hi})
	clone.mint(1000)
	original.mint(1000)
	assert.False(t, original.extend(), "one of two writes with one nonce wins")
	_, err := original.readRow()
	require.NoError(t, err)
	assert.ErrorIs(t, original.lost, ErrFenced)
}
