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
)

// TestProcessWhoseClockIsAhead: a process whose clock is an hour ahead sees the servers'
// clock, and is refused before it writes. grain is the resolution of the servers' time.
func TestProcessWhoseClockIsAhead(t *testing.T, rows textstore.Server, grain time.Duration) {
	leasetest.Make(t, textstore.New("a test", rows, clock.Real()))
	machine := clock.Real().Ahead(time.Hour)
	s := textstore.New("a test", rows, machine)
	_, err := worker.Leased(s, leasetest.Claim().OnClock(machine)).Assign(t.Context(), leasetest.Need)
	require.ErrorIs(t, err, worker.ErrClock)
	grain += 100 * time.Millisecond
	begin := time.Now()
	before := leasetest.View(t, s)
	require.NoError(t, before.Clock)
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
