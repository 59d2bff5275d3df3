package leasetest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// Holders are processes that hold the worker ids of one pool. The methods are for the test's
// goroutine. The claim is that of processes that join from now on.
type Holders struct {
	worker.Claim

	t   *testing.T
	all []*Holder

	taking sync.WaitGroup
	mu     sync.Mutex
	taken  map[uid.ID]bool
	twice  int
}

// Start creates the rows of this many worker ids, starting at 1, since a claim from 0 to 0
// would be a claim on any.
func Start(t *testing.T, s store.Store, workers int64) *Holders {
	t.Helper()
	h := &Holders{t: t, taken: map[uid.ID]bool{}, Claim: Claim()}
	h.First, h.Count, h.Timeout = 1, workers, timeout
	t.Cleanup(h.end)
	// A client that soon gives up dead servers gives up busy ones too. Init may be repeated.
	Until(t, "there are rows", func() error {
		_, err := worker.Init(t.Context(), s, h.Claim, Need)
		return err
	})
	return h
}

// end ends all processes.
func (h *Holders) end() {
	for _, m := range h.all {
		_ = m.Close() // a lease that it cannot release expires
	}
	h.taking.Wait()
}

// Holder is a process that takes every id of its generator as soon as it is granted, and its
// connection to its store, which can be cut.
type Holder struct {
	*uid.CachedGenerator
	store.Store
	cut atomic.Bool
}

// Join adds a process that uses s, and waits until it has a worker id.
func (h *Holders) Join(s store.Store) *Holder {
	h.t.Helper()
	m, c := &Holder{Store: s}, h.Claim
	c.Logger = slog.New(slog.NewTextHandler(h.t.Output(), nil)).With("holder", len(h.all))
	Until(h.t, "a worker id is free", func() (err error) {
		m.CachedGenerator, err = uid.New(h.t.Context(), worker.Leased(m, c),
			uid.Config{Layout: layout, Logger: c.Logger})
		return err
	})
	h.all = append(h.all, m)
	h.taking.Go(func() {
		for {
			switch id, err := m.GetUID(); {
			case errors.Is(err, uid.ErrClosed):
				return
			case err != nil: // no id is available now
				time.Sleep(10 * time.Millisecond)
			default:
				h.mu.Lock()
				if h.taken[id] {
					h.twice++
				}
				h.taken[id] = true
				h.mu.Unlock()
			}
		}
	})
	return m
}

// Last is the last tick, counted from the Unix epoch, of which the process has made an id.
func (m *Holder) Last() int64 { return Pool.TickAt(m.Stats().LastTick) }

// CutOff cuts the process off from its store until Mend. It continues with what it was granted.
func (m *Holder) CutOff() { m.cut.Store(true) }

// Mend ends CutOff.
func (m *Holder) Mend() { m.cut.Store(false) }

// Crash ends the process without releasing its worker id.
func (m *Holder) Crash() {
	m.CutOff()
	_ = m.Close()
}

// View fails while the process is cut off: whatever the process does begins with a view.
func (m *Holder) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	if m.cut.Load() {
		return store.View{}, errors.New("leasetest: cut off from the store")
	}
	return m.Store.View(ctx, p, first, last)
}

// Raise is called only if the store has heads.
func (m *Holder) Raise(ctx context.Context, p store.Pool, was store.Head, ahead int64,
	slack time.Duration) (applied bool, err error) {
	return m.Store.(store.Raiser).Raise(ctx, p, was, ahead, slack)
}

// Forget is called only if the store has heads.
func (m *Holder) Forget(ctx context.Context) (bool, error) {
	return m.Store.(store.Raiser).Forget(ctx)
}

// GoOn waits until all processes, except those that ended or are cut off, have made ids of
// ticks that no process can have been granted before the call.
func (h *Holders) GoOn(after string) {
	h.t.Helper()
	begin := time.Now()
	for _, m := range h.all {
		Until(h.t, after, func() error {
			behind := Pool.TickAt(begin) + Pool.Window() - m.Last()
			if behind < 0 || m.cut.Load() || errors.Is(m.Ready(), uid.ErrClosed) {
				return nil
			}
			return fmt.Errorf("one is %d ticks behind: %v", behind, m.Ready())
		})
	}
	h.t.Logf("%s: they went on after %v", after, time.Since(begin).Round(time.Millisecond))
}

// Duplicates ends all processes, and returns how often an id was taken again.
func (h *Holders) Duplicates() (twice int) {
	h.t.Helper()
	h.end()
	require.NotEmpty(h.t, h.taken)
	h.t.Logf("%d ids of %d processes, twice: %d", len(h.taken), len(h.all), h.twice)
	return h.twice
}
