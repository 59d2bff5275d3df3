package leasetest

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

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
	h.GoOn("nothing happened")
	silent.CutOff()
	h.Join(s).Leave()
	silent.Mend()
	h.GoOn("a worker id was taken over")
	assert.Empty(t, h.Duplicates())
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
	h.GoOn("nothing happened")
	first.CutOff()
	h.Join(careless{s})
	h.GoOn("a worker id was taken over")
	assert.NotEmpty(t, h.Duplicates())
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
