package texttest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

// TestProcessWhoseClockIsAhead: a store whose machine is an hour ahead shows the servers'
// clock, and refuses to write. grain is the resolution of the servers' time.
func TestProcessWhoseClockIsAhead(t *testing.T, rows textstore.Server, grain time.Duration) {
	leasetest.Make(t, textstore.New("a test", 0, rows, clock.Real()))
	machine := clock.Real().Ahead(time.Hour)
	s := textstore.New("a test", 0, rows, machine)
	_, err := worker.Leased(s, leasetest.Claim()).Assign(t.Context(), leasetest.Need)
	require.ErrorIs(t, err, worker.ErrClock)
	grain += 100 * time.Millisecond
	begin := time.Now()
	before := leasetest.View(t, s)
	assert.WithinRange(t, before.Now, begin.Add(-grain), time.Now().Add(grain))

	w := leasetest.Acquisition(before)
	for _, high := range []int64{w.TickAt(machine.Wall()), before.Rows[0].High + 1} {
		w.High = high
		applied, err := s.Write(t.Context(), w)
		require.ErrorIs(t, err, worker.ErrClock)
		assert.False(t, applied)
		assert.Equal(t, before.Rows, leasetest.View(t, s).Rows)
	}
}

// TestAVersionThatComesAgain: a row that was deleted and created again, and written as often,
// has the same version at the server and another text, so a late write misses it. version is
// that of the row of worker id 0.
func TestAVersionThatComesAgain(t *testing.T, s store.Store, rows textstore.Server,
	version func() int64) {
	leasetest.Make(t, s)
	row := textstore.Key{Layout: leasetest.Pool.Layout, Worker: 0}
	old, there, err := rows.Get(t.Context(), row)
	require.NoError(t, err)
	require.True(t, there)
	before := version()
	require.NoError(t, s.Delete(t.Context(), row.Layout))
	leasetest.Make(t, s)
	require.Equal(t, before, version())
	want := leasetest.View(t, s)
	applied, err := rows.CompareAndSet(t.Context(), row, old,
		textstore.Marshal(leasetest.Pool, store.Row{Nonce: store.Nonce{1}, Open: true}))
	require.NoError(t, err)
	assert.False(t, applied)
	assert.Equal(t, want.Rows, leasetest.View(t, s).Rows)
}
