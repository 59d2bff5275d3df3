package failover

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// site is a store in memory that is put back to an older state.
func site() Site {
	s, replica := memstore.New(), memstore.New()
	s.Restart("the primary")
	return Site{
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

func TestPlay(t *testing.T) { assert.Empty(t, Play(t, site())) }

// A server that does not tell that it is another: no floor rises.
func TestPlayFindsWhatIsTakenTwice(t *testing.T) {
	s, replica := memstore.New(), memstore.New()
	s.Restart("the primary")
	assert.NotEmpty(t, Play(t, Site{
		Open:    func() store.Store { return s },
		Replica: replica,
		Hold:    func() { replica.Rollback(s) },
		Promote: func() { replica.Restart("the replica") },
		Turn:    func() { s.Rollback(replica) },
		Forge:   func(string) {},
	}))
}
