package failover

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/leaks"
	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

func TestMain(m *testing.M) { os.Exit(leaks.Run(m)) }

func TestHoldersOnASoundStore(t *testing.T) {
	t.Parallel()
	s := memstore.New()
	h := Start(t, s, 2)
	silent := h.Join(s)
	h.Join(s)
	h.Recover("nothing happened")
	silent.CutOff()
	h.Join(s).Leave()
	silent.Mend()
	h.Recover("a worker id was taken over")
	assert.Empty(t, h.Duplicates())
	assert.Empty(t, h.history.faults())
}

// careless is a store that shows rows without how far they were granted.
type careless struct{ store.Store }

func (c careless) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	v, err := c.Store.View(ctx, p, first, last)
	for i := range v.Rows {
		v.Rows[i].High = v.TickAt(v.Now)
	}
	return v, err
}

func TestATakeoverThatForgetsTheGrantIsFound(t *testing.T) {
	t.Parallel()
	s := memstore.New()
	h := Start(t, s, 1)
	first := h.Join(s)
	h.Recover("nothing happened")
	first.CutOff()
	h.Join(careless{s})
	h.Recover("a worker id was taken over")
	assert.NotEmpty(t, h.Duplicates())
}

// forgetful is a store that acknowledges a write and loses it.
type forgetful struct{ store.Store }

func (forgetful) Write(context.Context, store.Write) (bool, error) { return true, nil }

func TestALostWriteIsFound(t *testing.T) {
	s := memstore.New()
	h := Start(t, s, 1)
	h.Join(s).Leave()
	v := h.View(s)
	assert.Empty(t, h.history.faults())

	lossy := &link{Store: forgetful{s}, history: h.history}
	w := store.Write{Worker: 1, Expect: []store.Nonce{v.Rows[0].Nonce}, Nonce: store.Nonce{1},
		High: v.Rows[0].High + 1}
	applied, err := lossy.Write(t.Context(), w)
	require.NoError(t, err)
	require.True(t, applied)
	h.View(s)
	assert.NotEmpty(t, h.history.faults())
}

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
