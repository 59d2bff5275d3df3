package leasetest

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

const (
	// TTL is when a worker id may be taken over whose holder is not heard of.
	TTL = 700 * time.Millisecond

	timeout  = 2 * time.Second // of a call to the store: a busy machine is slow
	patience = 3 * time.Minute // with servers that come back
)

// Holders are processes that hold the worker ids of one pool. The methods are for the test's
// goroutine. The claim is that of processes that join from now on.
type Holders struct {
	worker.Claim

	t   *testing.T
	all []*Holder

	mu    sync.Mutex
	ticks map[[2]int64]bool // that were minted, each with its worker id
	twice []string
}

// Start makes the rows of this number of worker ids, from 1 on: a claim of 0 to 0 would be
// one of any.
func Start(t *testing.T, s store.Store, workers int64) *Holders {
	t.Helper()
	h := &Holders{t: t, ticks: map[[2]int64]bool{}, Claim: worker.Claim{First: 1, Last: workers,
		TTL: TTL, Timeout: timeout, Slack: 500 * time.Millisecond, Logger: Claim().Logger}}
	// A client that leaves dead servers soon leaves busy ones too. Init may be repeated.
	Until(h.t, "there are rows", func() error {
		_, err := worker.Init(t.Context(), s, h.Claim, Need, false)
		return err
	})
	return h
}

// Join adds a process over s, which waits for any worker id.
func (h *Holders) Join(s store.Store) *Holder { return h.join(h.Claim, s) }

// JoinAs adds a process over s, which waits for this worker id.
func (h *Holders) JoinAs(id int64, s store.Store) *Holder {
	c := h.Claim
	c.First, c.Last = id, id
	return h.join(c, s)
}

func (h *Holders) join(c worker.Claim, s store.Store) *Holder {
	h.t.Helper()
	m := &Holder{of: h, link: &link{Store: s}, current: state{last: none}}
	c.Owner = fmt.Sprint("holder ", len(h.all))
	c.Logger = slog.New(slog.NewTextHandler(h.t.Output(), nil)).With("holder", len(h.all))
	a := worker.Leased(m.link, c)
	Until(h.t, "a worker id is free", func() (err error) {
		m.current.lease, err = a.Assign(h.t.Context(), Need)
		return err
	})
	ctx, stop := context.WithCancel(context.Background())
	m.stop = stop
	m.done.Go(func() { m.run(ctx, a) })
	h.all = append(h.all, m)
	h.t.Cleanup(m.Leave)
	return m
}

// Until waits for something that a server does in its own time.
func Until(t *testing.T, what string, done func() error) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); ; <-tick.C {
		err := done()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			require.NoError(t, err, what)
		}
	}
}

// GoOn waits until these processes have minted ticks that nobody can have been granted before
// now: all, if none is named, except those that left or are cut off.
func (h *Holders) GoOn(after string, these ...*Holder) {
	h.t.Helper()
	begin := time.Now()
	if len(these) == 0 {
		these = slices.DeleteFunc(slices.Clone(h.all),
			func(m *Holder) bool { return m.left || m.link.cut })
	}
	for _, m := range these {
		m.Reaches(Pool.TickAt(begin) + Pool.Window())
	}
	h.t.Logf("%s: they went on after %v", after, time.Since(begin).Round(time.Millisecond))
}

// Duplicates ends all processes, and returns the ticks that were minted twice with one worker
// id.
func (h *Holders) Duplicates() []string {
	h.t.Helper()
	for _, m := range h.all {
		m.Leave()
	}
	require.NotEmpty(h.t, h.ticks)
	h.t.Logf("%d ticks of %d processes, twice: %v", len(h.ticks), len(h.all), h.twice)
	return h.twice
}
