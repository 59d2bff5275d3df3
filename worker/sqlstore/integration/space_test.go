package integration

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// layoutOfMove is one whose worker ids keys can use up in a test.
func layoutOfMove() uid.Layout {
	now := time.Now().UTC()
	return uid.Layout{
		Epoch: time.Date(now.Year()-1, 1, 1, 0, 0, 0, 0, time.UTC), Unit: 10 * time.Millisecond,
		TimeBits: 40, WorkerBits: 6, SeqBits: 10,
	}
}

func needOfMove() worker.Need { return layoutOfMove().Need() }

// forDialects runs a test on an empty database of each, with its table.
func forDialects(t *testing.T, test func(t *testing.T, e env)) {
	forEachDialect(t, func(t *testing.T, e env) { test(t, e.inited()) })
}

func (e env) makes(first, last int64, o store.InitOptions) error {
	n, err := worker.NewNamespace("default", needOfMove(), first, last, time.Second)
	require.NoError(e.t, err)
	o.Fresh, o.MaxID = true, needOfMove().MaxID
	return e.Leases().Init(e.t.Context(), n, o)
}

// register takes keys until there are so many.
func (e env) registerUpTo(key int64) {
	for id := int64(0); id < key; {
		var err error
		id, err = e.Register(e.t.Context(), node("a"), needOfMove())
		require.NoError(e.t, err)
	}
}

func TestNamespaceAmongTheKeys(t *testing.T) {
	forDialects(t, func(t *testing.T, e env) {
		e.registerUpTo(5)
		for _, r := range [][2]int64{{0, 9}, {1, 1}, {5, 5}, {3, 63}} {
			err := e.makes(r[0], r[1], store.InitOptions{})
			require.ErrorIs(t, err, store.ErrOverlap, "%v", r)
			assert.ErrorContains(t, err, "WORKER_NODE has given out the keys up to 5")
			assert.ErrorContains(t, err, "to 63 are free")
		}
		e.registerUpTo(6) // what was refused has reserved nothing
		require.NoError(t, e.makes(60, 63, store.InitOptions{}))
		require.ErrorIs(t, e.makes(5, 63, store.InitOptions{}), store.ErrOverlap, "more of them")
		require.NoError(t, e.makes(5, 63, store.InitOptions{Apart: true}))
	})
}

func TestKeyThatANamespaceHas(t *testing.T) {
	forDialects(t, func(t *testing.T, e env) {
		require.NoError(t, e.makes(3, 4, store.InitOptions{}))
		e.registerUpTo(2)
		for range 2 {
			_, err := worker.Disposable(e.Store).Assign(t.Context(), needOfMove())
			require.ErrorIs(t, err, store.ErrOverlap)
			assert.ErrorContains(t, err, `worker ids 3 to 4 that namespace "default" has`)
			assert.ErrorContains(t, err, "set the key counter to 5")
		}
		id, err := e.Register(t.Context(), node("a"), needOfMove())
		require.NoError(t, err)
		assert.Equal(t, int64(5), id)
		assert.Equal(t, int64(6), e.must("of another layout"))
	})
}

// Of a namespace that is made and a process that registers at the same moment, at
// least one sees the other.
func TestKeysAndNamespacesAtOnce(t *testing.T) {
	forDialects(t, func(t *testing.T, e env) {
		both := 0
		for range 8 {
			e := e.fresh(t).inited()
			var all errgroup.Group
			var taken atomic.Int64
			var made error
			all.Go(func() error { made = e.makes(1, 9, store.InitOptions{}); return nil })
			all.Go(func() error {
				id, err := e.Register(t.Context(), node("a"), needOfMove())
				taken.Store(id)
				if errors.Is(err, store.ErrOverlap) {
					return nil
				}
				return err
			})
			require.NoError(t, all.Wait())
			if made != nil {
				require.ErrorIs(t, made, store.ErrOverlap)
			}
			require.False(t, made == nil && taken.Load() != 0, "worker id %d is a namespace's, too",
				taken.Load())
			if made != nil && taken.Load() == 0 {
				both++
			}
		}
		t.Logf("both refused %d times", both)
	})
}

// issued collects the ids of several generators, and notices a duplicate.
type issued struct {
	mu  sync.Mutex
	ids map[uid.ID]bool
	by  map[string]int
}

func (l *issued) note(kind string, id uid.ID) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ids[id] {
		return fmt.Errorf("%v came twice", id)
	}
	l.ids[id] = true
	l.by[kind]++
	return nil
}

// mint makes so many ids, or more until done ends.
func (l *issued) mint(ctx context.Context, kind string, a worker.Assigner, least int,
	done <-chan struct{}) error {
	g, err := uid.NewDefault(ctx, a,
		uid.Config{Layout: layoutOfMove(), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer g.Close()
	for minted := 1; ; minted++ {
		id, err := g.GetUIDContext(ctx) // however long a busy machine takes to renew a lease
		if err != nil {
			return err
		}
		if err := l.note(kind, id); err != nil {
			return err
		}
		select {
		case <-done:
			if minted >= least {
				return nil
			}
		default:
		}
	}
}

// TestMoveFromDisposableToLeased is what docs/operations.md describes: both kinds
// mint at the same time, and go on restarting, until the keys have come to the
// namespace.
func TestMoveFromDisposableToLeased(t *testing.T) {
	forDialects(t, func(t *testing.T, e env) {
		l := &issued{ids: map[uid.ID]bool{}, by: map[string]int{}}
		leased := func() worker.Assigner {
			return worker.Leased(e.Leases(), worker.Claim{Logger: slog.New(slog.DiscardHandler)})
		}
		e.registerUpTo(4)
		require.NoError(t, e.makes(12, 63, store.InitOptions{}))

		var leasedOnes, all errgroup.Group
		done := make(chan struct{})
		for range 2 {
			leasedOnes.Go(func() error { return l.mint(t.Context(), "leased", leased(), 1000, done) })
		}
		var refused atomic.Int32
		now := make(chan struct{})
		close(now)
		for range 2 {
			all.Go(func() error {
				for {
					err := l.mint(t.Context(), "disposable", worker.Disposable(e.Store), 1000, now)
					if errors.Is(err, store.ErrOverlap) {
						refused.Add(1)
						return nil
					}
					if err != nil {
						return err
					}
				}
			})
		}
		require.NoError(t, all.Wait())
		close(done)
		require.NoError(t, leasedOnes.Wait())
		assert.Equal(t, int32(2), refused.Load(), "the keys have come to the namespace")
		assert.NotZero(t, l.by["leased"])
		assert.NotZero(t, l.by["disposable"])
	})
}
