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

// TestProcessWhoseClockIsAhead: a process whose clock is an hour ahead uses the servers'
// clock for everything that it writes, and is refused before it writes. grain is the
// resolution of the servers' time.
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

		v := View(t, s)
		w := Acquisition(v)
		w.Worker, w.Expect[0] = 3, v.Rows[3].Nonce
		w.Now, w.High = machine.Wall(), v.TickAt(machine.Wall())
		applied, err := s.Write(t.Context(), w)
		require.ErrorIs(t, err, store.ErrClock)
		assert.False(t, applied)
	}
	v := View(t, good)
	for _, row := range v.Rows {
		_, parked := v.Parked(row)
		assert.False(t, parked && row.High > v.MaxHigh()+1, "worker id %d", row.Worker)
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
// worker id is granted no more ticks for that.
func TestHolderWhoseClockJumpsAhead(t *testing.T, on OnMachine, grain time.Duration) {
	var ahead atomic.Int64
	machine := jumping(&ahead)
	s := on(machine)
	Make(t, s)
	l := Lease(t, s, Claim().OnClock(machine))
	_, hi := l.Grant()
	ahead.Store(int64(time.Hour))
	for got := hi; got < hi+300; { // three seconds later
		changed := l.Changed()
		l.Want(Pool.TickAt(machine.Wall()))
		if _, now := l.Grant(); now > got {
			got = now
			assert.LessOrEqual(t, got, Pool.TickAt(time.Now().Add(grain+100*time.Millisecond))+
				Pool.Window())
			continue
		}
		<-changed
	}
}
