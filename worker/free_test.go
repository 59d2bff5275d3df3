package worker

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A fail-over to a server whose clock is behind by the slack, and the first to come
// is an operator who frees the row. Its last holder uses its grant up.
func TestFreeBeginsAnEpochBehindTheLastTickThatMayBeLost(t *testing.T) {
	l := newSchedule(t, 1)
	backup := l.mem.Snapshot()
	l.tick = 100
	a := l.actor("A").acquire()
	l.mem.Rollback(backup)
	l.mem.Restart("second")
	l.tick -= 5
	c := Claim{Logger: slog.New(slog.DiscardHandler)}
	_, err := Steal(t.Context(), l.mem, c, schedulePool, 0)
	require.NoError(t, err)
	require.Equal(t, "second", l.view(0, 0).Epoch)
	a.mint(1000)
	l.tick += 100
	b := l.actor("B").acquire()
	b.mint(1000)
	lo, _ := b.grants()
	assert.Equal(t, a.last+1, l.view(0, 0).Floor)
	assert.Greater(t, lo, rel(a.last))
}
