package leasetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// Holder is a process with a store of its own. It mints every tick that it is granted, as soon
// as it is granted it. When its lease is lost, it takes another.
type Holder struct {
	of      *Holders
	link    *link
	left    bool
	stop    context.CancelFunc
	done    sync.WaitGroup
	current state // which has the lock of Holders
}

func (m *Holder) run(ctx context.Context, a worker.Assigner) {
	for {
		last, lost := m.mint(ctx)
		release, cancel := context.WithTimeout(context.WithoutCancel(ctx), m.of.Timeout)
		_ = m.current.lease.Release(release, last) // what it cannot give back runs out
		cancel()
		next := m.assign(ctx, a)
		if next == nil {
			return
		}
		m.of.mu.Lock()
		m.current.lease, m.current.lost = next, append(m.current.lost, lost)
		m.of.mu.Unlock()
	}
}

// assign takes a lease as soon as there is one, or none when ctx ends first.
func (m *Holder) assign(ctx context.Context, a worker.Assigner) worker.Lease {
	for {
		lease, err := a.Assign(ctx, Need)
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
		changed := m.current.lease.Changed()
		lost = m.current.lease.Err()
		lo, hi := m.current.lease.Grant()
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
		m.current.lease.Want(last + 1) // which shows what was granted apart from that, too
	}
	return last, nil
}

// minted notes ticks, and those that somebody has minted before with this worker id.
func (m *Holder) minted(lo, hi int64) {
	h, worker := m.of, m.current.lease.WorkerID()
	h.mu.Lock()
	defer h.mu.Unlock()
	m.current.last = hi
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

// state is what the process changes.
type state struct {
	lease worker.Lease
	last  int64   // the last tick that it minted
	lost  []error // why it lost leases
}

func (m *Holder) state() state {
	m.of.mu.Lock()
	defer m.of.mu.Unlock()
	return m.current
}

// Last is the last tick, counted from the Unix epoch, that it minted.
func (m *Holder) Last() int64 { return m.state().last }

// Lost says why it lost the leases before the one that it has.
func (m *Holder) Lost() []error { return m.state().lost }

// Lease is the one that it has or had last.
func (m *Holder) Lease() worker.Lease { return m.state().lease }

// WorkerID is the one that it has or had last.
func (m *Holder) WorkerID() int64 { return m.Lease().WorkerID() }

// Reaches waits until it has minted ticks after this one.
func (m *Holder) Reaches(tick int64) {
	m.of.t.Helper()
	Until(m.of.t, "later ticks", func() error {
		if last := m.Last(); last <= tick {
			return fmt.Errorf("the last tick is %d, %d before those waited for; leases that it lost: %v",
				last, tick-last, m.Lost())
		}
		return nil
	})
}

// CutOff cuts it off from its store, until Mend. It continues with what it was granted.
func (m *Holder) CutOff() { m.link.set(true) }

// Mend ends CutOff.
func (m *Holder) Mend() { m.link.set(false) }

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

// link is a holder's way to its store, which can be cut.
type link struct {
	store.Store
	calls sync.RWMutex // calls under way hold it for reading
	cut   bool
}

var errCut = errors.New("leasetest: cut off from the store")

func (l *link) set(cut bool) {
	l.calls.Lock() // calls under way might still arrive
	defer l.calls.Unlock()
	l.cut = cut
}

// through makes a call, unless the way is cut.
func through[T any](l *link, call func() (T, error)) (answer T, err error) {
	l.calls.RLock()
	defer l.calls.RUnlock()
	if l.cut {
		return answer, errCut
	}
	return call()
}

func (l *link) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	return through(l, func() (store.View, error) { return l.Store.View(ctx, p, first, last) })
}

func (l *link) Write(ctx context.Context, w store.Write) (applied bool, err error) {
	return through(l, func() (bool, error) { return l.Store.Write(ctx, w) })
}

// Raise is called only if the store has heads.
func (l *link) Raise(ctx context.Context, p store.Pool, epoch string, floor, ahead int64) (
	applied bool, err error) {
	return through(l, func() (bool, error) {
		return l.Store.(store.Raiser).Raise(ctx, p, epoch, floor, ahead)
	})
}

// none is the last tick of who has minted nothing.
const none = math.MinInt64
