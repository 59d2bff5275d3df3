package leasetest

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// OnMachine is one store in a process on a machine with these clocks, which learns the
// servers' time from their answers.
type OnMachine func(machine clock.Clock) store.Store

// TestProcessWhoseClockIsAhead: a process whose clock is an hour ahead sees the servers'
// clock, and is refused before it writes. grain is the resolution of the servers' time.
func TestProcessWhoseClockIsAhead(t *testing.T, on OnMachine, grain time.Duration) {
	good := on(clock.Real())
	Make(t, good)
	held := Lease(t, good, Claim())

	machine := clock.Real().Ahead(time.Hour)
	for range 4 { // it is restarted
		s := on(machine)
		_, err := worker.Leased(s, Claim().OnClock(machine)).Assign(t.Context(), Need)
		require.ErrorIs(t, err, worker.ErrClock)
		showsTheTime(t, s, grain)

		before := View(t, s)
		w := Acquisition(before)
		w.Worker, w.Expect[0] = 3, before.Rows[3].Nonce
		for _, high := range []int64{w.TickAt(machine.Wall()), before.Rows[3].High + 1} {
			w.High = high
			applied, err := s.Write(t.Context(), w)
			require.ErrorIs(t, err, worker.ErrClock)
			assert.False(t, applied)
			assert.Equal(t, before.Rows[3], View(t, s).Rows[3])
		}
	}
	assert.NoError(t, held.Err(), "nobody fenced it")
}

// showsTheTime asserts that views have the servers' clock, which is this machine's.
func showsTheTime(t *testing.T, s store.Store, grain time.Duration) {
	t.Helper()
	grain += 100 * time.Millisecond
	before := time.Now()
	v := View(t, s)
	require.NoError(t, v.Clock)
	assert.WithinRange(t, v.Now, before.Add(-grain), time.Now().Add(grain))
}

// jumping is this machine's clock, set forward by so much.
func jumping(by *atomic.Int64) clock.Clock {
	k := clock.Real()
	wall := k.Wall
	k.Wall = func() time.Time { return wall().Add(time.Duration(by.Load())) }
	return k
}

// TestHolderWhoseClockJumpsAhead: a process whose clock jumps ahead while it holds a
// worker id is granted nothing until the clock is right again.
func TestHolderWhoseClockJumpsAhead(t *testing.T, on OnMachine) {
	var ahead atomic.Int64
	machine := jumping(&ahead)
	s := on(machine)
	Make(t, s)
	l := Lease(t, s, Claim().OnClock(machine))
	ahead.Store(int64(time.Hour))
	time.Sleep(100 * time.Millisecond) // a write may be under way
	row := viewOf(t, s, l)
	for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		_, hi := l.Grant()
		assert.LessOrEqual(t, hi, row.High)
		l.Want(hi + 1)
	}
	assert.Equal(t, row, viewOf(t, s, l), "it wrote nothing")
	assert.NoError(t, l.Err())
	ahead.Store(0)
	require.Eventually(t, func() bool {
		_, hi := l.Grant()
		l.Want(hi + 1)
		return hi > row.High
	}, time.Minute, time.Millisecond)
}

// viewOf is the row of a lease.
func viewOf(t *testing.T, s store.Store, l worker.Lease) store.Row {
	t.Helper()
	return View(t, s).Rows[l.WorkerID()]
}
