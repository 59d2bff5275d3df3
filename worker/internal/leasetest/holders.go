package leasetest

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

const (
	// TTL is when a worker id may be taken over whose holder is not heard of.
	TTL = 700 * time.Millisecond

	timeout  = 2 * time.Second // of a call to the store: a busy machine is slow
	patience = 3 * time.Minute // with servers that come back
)

// layoutOf has few ids in a tick, so that a generator soon uses a window up.
func layoutOf(unit time.Duration) uid.Layout {
	return uid.Layout{
		Epoch: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), Unit: unit,
		TimeBits: 45, WorkerBits: 8, SeqBits: 4,
	}
}

// Holders are generators that hold the worker ids of one pool. The methods are for the
// test's goroutine.
type Holders struct {
	// Slack is Claim.Slack of those that join from now on: half a second, if it is not set.
	Slack time.Duration

	t       *testing.T
	layout  uid.Layout
	pool    store.Pool
	workers int64 // rows are there for 1 to this one
	all     []*Holder
}

// Start makes the rows of this number of worker ids, from 1 on: a claim of 0 to 0 would be
// one of any.
func Start(t *testing.T, s store.Store, workers int64) *Holders {
	t.Helper()
	return start(t, s, workers, layoutOf(10*time.Millisecond))
}

func start(t *testing.T, s store.Store, workers int64, layout uid.Layout) *Holders {
	t.Helper()
	need := layout.Need()
	h := &Holders{Slack: 500 * time.Millisecond, t: t, layout: layout, workers: workers,
		pool: store.Pool{Layout: need.Fingerprint, Unit: need.Unit}}
	// A client that leaves dead servers soon leaves busy ones too. Init may be repeated.
	c := worker.Claim{First: 1, Last: workers, Slack: h.Slack, Logger: slog.New(slog.DiscardHandler)}
	h.Until("there are rows", func() error {
		_, err := worker.Init(t.Context(), s, c, need, false)
		return err
	})
	return h
}

// Join adds a generator over s, which waits for any worker id.
func (h *Holders) Join(s store.Store) *Holder { return h.join(1, h.workers, s) }

// JoinAs adds a generator over s, which waits for this worker id.
func (h *Holders) JoinAs(id int64, s store.Store) *Holder { return h.join(id, id, s) }

func (h *Holders) join(first, last int64, s store.Store) *Holder {
	h.t.Helper()
	m := &Holder{of: h, link: &link{Store: s}}
	m.last.Store(none)
	log := slog.New(slog.NewTextHandler(h.t.Output(), nil)).With("holder", len(h.all))
	a := worker.Leased(m.link, worker.Claim{
		First: first, Last: last, Owner: fmt.Sprint("holder ", len(h.all)), TTL: TTL,
		Timeout: timeout, Slack: h.Slack, Logger: log,
	})
	h.Until("a worker id is free", func() (err error) {
		m.gen, err = uid.NewCached(h.t.Context(), a, uid.Config{Layout: h.layout, Logger: log})
		return err
	})
	ctx, stop := context.WithCancel(context.Background())
	m.stop = stop
	m.done.Go(func() { m.take(ctx) })
	h.all = append(h.all, m)
	h.t.Cleanup(m.Leave)
	return m
}

// View returns a view of the pool, as soon as the store answers.
func (h *Holders) View(s store.Store) (v store.View) {
	h.t.Helper()
	h.Until("the store answers", func() (err error) {
		ctx, cancel := context.WithTimeout(h.t.Context(), patience)
		defer cancel()
		v, err = s.View(ctx, h.pool, 1, h.layout.Need().MaxID)
		return err
	})
	return v
}

// Until waits for something that a server does in its own time.
func (h *Holders) Until(what string, done func() error) {
	h.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); ; <-tick.C {
		err := done()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			require.NoError(h.t, err, what)
		}
	}
}

// GoOn waits until these generators have taken ids that nobody can have been granted before
// now: all, if none is named, except those that left or are cut off.
func (h *Holders) GoOn(after string, these ...*Holder) {
	h.t.Helper()
	begin := time.Now()
	if len(these) == 0 {
		these = slices.DeleteFunc(slices.Clone(h.all),
			func(m *Holder) bool { return m.left || m.link.cut.Load() })
	}
	for _, m := range these {
		m.Reaches(h.pool.TickAt(begin) + h.pool.Window())
	}
	h.t.Logf("%s: they went on after %v", after, time.Since(begin).Round(time.Millisecond))
}

// Duplicates ends all generators, and returns the duplicate ids.
func (h *Holders) Duplicates() (twice []uid.ID) {
	h.t.Helper()
	var ids []uid.ID
	for _, m := range h.all {
		m.Leave()
		require.True(h.t, slices.IsSorted(m.ids), "what one goroutine gets from one generator grows")
		ids = append(ids, m.ids...)
	}
	require.NotEmpty(h.t, ids)
	slices.Sort(ids)
	for i := 1; i < len(ids); i++ {
		if ids[i] == ids[i-1] {
			twice = append(twice, ids[i])
		}
	}
	h.t.Logf("%d ids of %d generators, %d of them twice", len(ids), len(h.all), len(twice))
	return twice
}
