package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
)

// ledger is every tick that was minted, with the worker id that it was minted with.
type ledger struct {
	mu     sync.Mutex
	ticks  map[[2]int64]bool
	twices []string
}

func (l *ledger) mint(worker, lo, hi int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	twice := 0
	for tick := lo; tick <= hi; tick++ {
		if id := [2]int64{worker, tick}; l.ticks[id] {
			twice++
		} else {
			l.ticks[id] = true
		}
	}
	if twice > 0 {
		l.twices = append(l.twices,
			fmt.Sprintf("worker id %d: %d ticks from %d to %d", worker, twice, lo, hi))
	}
}

// minter is a process that mints all that it is granted, as soon as it is granted it. When
// its lease is lost it takes another.
type minter struct {
	assigner worker.Assigner
	minted   atomic.Int64 // ticks
	err      atomic.Value // why it has no lease, at last
}

func (m *minter) run(ctx context.Context, n worker.Need, l *ledger) {
	for ctx.Err() == nil {
		lease, err := m.assigner.Assign(ctx, n)
		if err != nil { // as after a crash, it starts again
			m.err.Store(err.Error())
			select {
			case <-ctx.Done():
			case <-time.After(5 * time.Millisecond):
			}
			continue
		}
		last := m.mint(ctx, lease, l)
		lease.Release(context.WithoutCancel(ctx), last)
	}
}

// mint mints until ctx ends, or the lease does and all that it was granted is used up. It
// returns the last tick.
func (m *minter) mint(ctx context.Context, lease worker.Lease, l *ledger) (last int64) {
	last = math.MinInt64
	for ctx.Err() == nil {
		changed := lease.Changed()
		err := lease.Err()
		lo, hi := lease.Grant()
		if errors.Is(err, worker.ErrFenced) {
			break
		}
		if lo = max(lo, last+1); lo <= hi {
			l.mint(lease.WorkerID(), lo, hi)
			m.minted.Add(hi - lo + 1)
			last = hi
			lease.Want(last + 1) // shows what was granted apart from that, too
			continue
		}
		if err != nil {
			break
		}
		lease.Want(last + 1)
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
	return last
}

// underHolders does each of these things to the store, several times, while processes mint.
// Each mints again after each of them, and no two of them the same tick with one worker id.
func (f *fixture) underHolders(doings ...func()) {
	f.t.Helper()
	f.begin(brisk)
	ctx, stop := context.WithCancel(f.t.Context())
	l := &ledger{ticks: map[[2]int64]bool{}}
	var minters [3]minter
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	for i := range minters {
		m := &minters[i]
		m.assigner = worker.Leased(f.store, f.claim())
		all.Go(func() { m.run(ctx, f.need(), l) })
	}
	f.mintOn(minters[:], "at first")
	for _, do := range doings {
		for round := range 3 {
			do()
			f.mintOn(minters[:], fmt.Sprintf("afterwards, in round %d", round))
		}
	}
	stop()
	all.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	assert.Empty(f.t, l.twices, "minted twice, of %d", len(l.ticks))
}

// mintOn waits until each has minted again, and again: the first may have been under way.
func (f *fixture) mintOn(minters []minter, when string) {
	f.t.Helper()
	for i := range minters {
		m := &minters[i]
		for range 2 {
			had := m.minted.Load()
			for begin := time.Now(); m.minted.Load() == had; time.Sleep(time.Millisecond) {
				if time.Since(begin) > time.Minute {
					require.FailNow(f.t, "a process mints nothing "+when, "its last error: %v", m.err.Load())
				}
			}
		}
	}
}

// testDeletingUnderHolders: deleting anything is safe at any time.
func testDeletingUnderHolders(f *fixture) {
	doings := f.deletions()
	if f.hands != nil {
		h := f.hands(f.t, f.store)
		doings = append(doings, func() { h.DeleteRow(f.pool.Layout, first) },
			func() { h.DeleteRow(f.pool.Layout, first+1) })
		if h.DeleteHead != nil {
			doings = append(doings, func() { h.DeleteHead(f.pool.Layout) })
		}
	}
	for _, do := range doings {
		f.underHolders(do)
	}
}
