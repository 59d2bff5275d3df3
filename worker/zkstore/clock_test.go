package zkstore

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/storeclock"
	"github.com/ringuid/ringuid/worker/store"
)

func TestAProcessWhoseClockIsAhead(t *testing.T) {
	leasetest.TestProcessWhoseClockIsAhead(t, onMachine(t), time.Millisecond)
}

func TestAHolderWhoseClockJumpsAhead(t *testing.T) {
	t.Parallel()
	leasetest.TestHolderWhoseClockJumpsAhead(t, onMachine(t), time.Millisecond)
}

func onMachine(t *testing.T) leasetest.OnMachine {
	s := shared(t)
	return func(machine clock.Clock) store.Store {
		same := s.on(s.conn)
		same.clock = storeclock.New(machine)
		return same
	}
}

// Who may not write goes by its own clock, and says so.
func TestAViewWithoutTheLeadersClock(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	require.NoError(t, s.conn.Delete(s.ownersPath("default"), -1))
	v := leasetest.View(t, s.on(s.conn))
	require.ErrorContains(t, v.Clock, "owners")
}
