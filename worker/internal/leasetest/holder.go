package leasetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// Holder is a process with a store of its own. It mints every tick that it is granted, as soon
// as it is granted it. When its lease is lost, it takes another.
type Holder struct {
	of   *Holders
	link *link
	left bool
	stop context.CancelFunc
	done sync.WaitGroup

	// What the process changes, which has the lock of Holders.
	lease worker.Lease
	last  int64   // the last tick that it minted
	lost  []error // why it lost leases
}

func (m *Holder) run(ctx context.Context, a worker.Assigner) {
	for {
		last, lost := m.mint(ctx)
		release, cancel := context.WithTimeout(context.WithoutCancel(ctx), m.of.Timeout)
		_ = m.lease.Release(release, last) // what it cannot give back runs out
		cancel()
		next := m.assign(ctx, a)
		if next == nil {
			return
		}
		m.of.mu.Lock()
		m.lease, m.lost = next, append(m.lost, lost)
		m.of.mu.Unlock()
	}
}

// assign takes a lease as soon as there is one, or none when ctx ends first.
func (m *Holder) assign(ctx context.Context, a worker.Assigner) worker.Lease {
	for {
		lease, err := a.Assign(ctx, m.of.need)
		if err == nil || ctx.Err() != nil {
			return lease
		}
		select {
		case <-ctx.Done():
		case <-time.After(m.of.TTL / 20):
		}
	}
}

// mint mints until ctx ends, or the lease is lost and all that may still be minted is. It
// returns the last tick, and why the lease was lost.
func (m *Holder) mint(ctx context.Context) (last int64, lost error) {
	last = none
	for ctx.Err() == nil {
		changed := m.lease.Changed()
		lost = m.lease.Err()
		lo, hi := m.lease.Grant()
		lo = max(lo, last+1)
		switch {
		case errors.Is(lost, worker.ErrFenced):
			return last, lost
		case lo <= hi:
			m.minted(lo, hi)
			last = hi
		case lost != nil:
			return last, lost
		default:
			select {
			case <-changed:
			case <-ctx.Done():
			}
		}
		m.lease.Want(last + 1) // which shows what was granted apart from that, too
	}
	return last, nil
}

// minted notes ticks, and those that somebody has minted before with this worker id.
func (m *Holder) minted(lo, hi int64) {
	h, worker := m.of, m.lease.WorkerID()
	h.mu.Lock()
	defer h.mu.Unlock()
	m.last = hi
	twice := 0
	for tick := lo; tick <= hi; tick++ {
		id := [2]int64{worker, tick}
		if h.ticks[id] {
			twice++
		}
		h.ticks[id] = true
	}
	if twice > 0 {
		h.twice = append(h.twice, fmt.Sprintf("worker id %d: %d ticks from %d to %d", worker, twice, lo,
			hi))
	}
}

// Last is the last tick, counted from the Unix epoch, that it minted.
func (m *Holder) Last() int64 {
	m.of.mu.Lock()
	defer m.of.mu.Unlock()
	return m.last
}

// Lost says why it lost the leases before the one that it has.
func (m *Holder) Lost() []error {
	m.of.mu.Lock()
	defer m.of.mu.Unlock()
	return m.lost
}

// Lease is the one that it has or had last.
func (m *Holder) Lease() worker.Lease {
	m.of.mu.Lock()
	defer m.of.mu.Unlock()
	return m.lease
}

// WorkerID is the one that it has or had last.
func (m *Holder) WorkerID() int64 { return m.Lease().WorkerID() }

// Reaches waits until it has minted ticks after this one.
func (m *Holder) Reaches(tick int64) {
	m.of.t.Helper()
	m.of.Until("later ticks", func() error {
		if last := m.Last(); last <= tick {
			return fmt.Errorf("the last tick is %d, %d before those waited for; leases that it lost: %v",
				last, tick-last, m.Lost())
		}
		return nil
	})
}

// CutOff cuts it off from its store, until Mend. It continues with what it was granted.
func (m *Holder) CutOff() {
	m.link.calls.Lock() // calls under way might still arrive
	defer m.link.calls.Unlock()
	m.link.cut.Store(true)
}

// Mend ends CutOff.
func (m *Holder) Mend() { m.link.cut.Store(false) }

// Leave ends it, and releases its worker id if it can.
func (m *Holder) Leave() {
	if !m.left {
		m.left = true
		m.stop()
		m.done.Wait()
	}
}

// Crash ends it without releasing the worker id.
func (m *Holder) Crash() {
	m.CutOff()
	m.Leave()
}

// fails waits until so many more calls of its store got no answer.
func (m *Holder) fails(calls int64) {
	m.of.t.Helper()
	before := m.link.failures.Load()
	m.of.Until("calls that get no answer", func() error {
		if n := m.link.failures.Load() - before; n < calls {
			return fmt.Errorf("%d of %d", n, calls)
		}
		return nil
	})
}

// link is a holder's way to its store, which can be cut.
type link struct {
	store.Store
	cut      atomic.Bool
	calls    sync.RWMutex // calls under way hold it for reading
	failures atomic.Int64 // calls that got no answer
}

var errCut = errors.New("leasetest: cut off from the store")

// call makes a call, unless the way is cut.
func (l *link) call(do func() error) error {
	l.calls.RLock()
	defer l.calls.RUnlock()
	if l.cut.Load() {
		return errCut
	}
	err := do()
	if err != nil {
		l.failures.Add(1)
	}
	return err
}

func (l *link) View(ctx context.Context, p store.Pool, first, last int64) (v store.View,
	err error) {
	err = l.call(func() (err error) { v, err = l.Store.View(ctx, p, first, last); return err })
	return v, err
}

func (l *link) Write(ctx context.Context, w store.Write) (applied bool, err error) {
	err = l.call(func() (err error) { applied, err = l.Store.Write(ctx, w); return err })
	return applied, err
}

// Raise is called only if the store has heads.
func (l *link) Raise(ctx context.Context, p store.Pool, epoch string, floor, ahead int64) (
	applied bool, err error) {
	err = l.call(func() (err error) {
		applied, err = l.Store.(store.Raiser).Raise(ctx, p, epoch, floor, ahead)
		return err
	})
	return applied, err
}

// none is the last tick of who has minted nothing.
const none = math.MinInt64
