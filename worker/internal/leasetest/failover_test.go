package leasetest

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/internal/leaks"
	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

func TestMain(m *testing.M) { os.Exit(leaks.Run(m)) }

// pair is a store in memory that is put back to an older state.
func pair() Pair {
	s, replica := memstore.New(), memstore.New()
	s.Restart("the primary")
	return Pair{
		Open:    func() store.Store { return s },
		Replica: replica,
		Hold:    func() { replica.Rollback(s) },
		Promote: func() { replica.Restart("the replica") },
		Turn: func() {
			s.Restart("the replica")
			s.Rollback(replica)
		},
	}
}

func TestLossy(t *testing.T) {
	t.Parallel()
	assert.Empty(t, Lossy(t, pair()))
}

// A server that does not tell that it is another: no floor rises.
func TestLossyFindsWhatIsTakenTwice(t *testing.T) {
	t.Parallel()
	s, replica := memstore.New(), memstore.New()
	s.Restart("the primary")
	assert.NotEmpty(t, Lossy(t, Pair{
		Open:    func() store.Store { return s },
		Replica: replica,
		Hold:    func() { replica.Rollback(s) },
		Promote: func() { replica.Restart("the replica") },
		Turn:    func() { s.Rollback(replica) },
		Forge:   func(string) {},
	}))
}
