package leasetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker/store"
)

// Holder is a generator with a worker id over a store of its own, as if it were another
// process, and a goroutine that takes ids from it as fast as they are granted.
type Holder struct {
	of   *Holders
	link *link
	gen  *uid.CachedGenerator
	ids  []uid.ID     // that it took, in this order
	last atomic.Int64 // the tick of the last one
	left bool
	stop context.CancelFunc
	done sync.WaitGroup
}

func (m *Holder) take(ctx context.Context) {
	for ctx.Err() == nil {
		id, err := m.gen.GetUIDContext(ctx)
		if err != nil { // a fail-over that lasts
			select {
			case <-ctx.Done():
			case <-time.After(TTL / 20):
			}
			continue
		}
		m.ids = append(m.ids, id)
		if parts, err := m.of.layout.Parse(id); err == nil {
			m.last.Store(m.of.pool.TickAt(parts.Time))
		}
	}
}

// Last is the tick, counted from the Unix epoch, of the last id that was taken.
func (m *Holder) Last() int64 { return m.last.Load() }

// WorkerID is the one that the generator has or had last.
func (m *Holder) WorkerID() int64 { return m.gen.Stats().WorkerID }

// Reaches waits until ids of a tick after this one were taken.
func (m *Holder) Reaches(tick int64) {
	m.of.t.Helper()
	m.of.Until("ids of a later tick", func() error {
		if last := m.Last(); last <= tick {
			return fmt.Errorf("the last tick is %d, %d before those waited for; %+v", last, tick-last,
				m.gen.Stats())
		}
		return nil
	})
}

// Granted is the last tick that it believes to have.
func (m *Holder) Granted() int64 { return m.of.pool.TickAt(m.gen.Stats().GrantedUntil) - 1 }

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
	if m.left {
		return
	}
	m.left = true
	m.stop()
	m.done.Wait()
	_ = m.gen.Close() // what it could not give back runs out
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
func (l *link) Raise(ctx context.Context, r store.Raise) (applied bool, err error) {
	err = l.call(func() (err error) {
		applied, err = l.Store.(store.Raiser).Raise(ctx, r)
		return err
	})
	return applied, err
}

// none is the last tick of who has taken nothing.
const none = math.MinInt64
