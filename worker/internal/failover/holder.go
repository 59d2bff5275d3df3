package failover

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// Holder is a generator with a worker id, and goroutines that take ids from it.
type Holder struct {
	of   *Holders
	link *link
	gen  *uid.CachedGenerator

	ids  [goroutines][]uid.ID // that each goroutine took, in its order
	last [goroutines]atomic.Int64
	stop context.CancelFunc
	all  sync.WaitGroup
	left bool

	stranded bool
}

const goroutines = 2

// take has the goroutines take ids until Leave, as fast as they are granted.
func (m *Holder) take() {
	ctx, cancel := context.WithCancel(context.Background())
	m.stop = cancel
	for i := range goroutines {
		m.all.Go(func() {
			for ctx.Err() == nil {
				id, err := m.gen.GetUIDContext(ctx)
				if err != nil { // a fail-over that lasts: it waited, and goes on waiting
					select {
					case <-ctx.Done():
					case <-time.After(timeout / 10):
					}
					continue
				}
				m.ids[i] = append(m.ids[i], id)
				m.last[i].Store(int64(id))
			}
		})
	}
}

// Last is the tick, counted from the Unix epoch, that all its goroutines have reached.
func (m *Holder) Last() int64 {
	tick := int64(math.MaxInt64)
	for i := range m.last {
		tick = min(tick, m.of.tickOf(uid.ID(m.last[i].Load())))
	}
	return tick
}

func (h *Holders) tickOf(id uid.ID) int64 {
	parts, err := h.layout.Parse(id)
	if err != nil {
		return math.MinInt64
	}
	return parts.Time.UnixNano() / int64(h.layout.Unit)
}

// Reaches waits until ids of a tick after this one were taken.
func (m *Holder) Reaches(tick int64) {
	m.of.t.Helper()
	m.of.Until("ids of a later tick", func() error {
		if last := m.Last(); last <= tick {
			return fmt.Errorf("the last tick is %d, %d before those waited for; %+v", last, tick-last, m.gen.Stats())
		}
		return nil
	})
}

// WorkerID is the one that it has or had last.
func (m *Holder) WorkerID() int64 { return m.gen.Stats().WorkerID }

// Granted is the last tick that it believes to have.
func (m *Holder) Granted() int64 {
	return m.gen.Stats().GrantedUntil.UnixMilli()/m.of.layout.Unit.Milliseconds() - 1
}

// CutOff cuts it off from its store, until Mend. It continues with what it was granted.
func (m *Holder) CutOff() { m.link.cutOff() }

// Mend ends CutOff.
func (m *Holder) Mend() { m.link.cut.Store(false) }

// Strand says that it asks a server that is cut off: GoOn does not wait for it, until
// Rescue.
func (m *Holder) Strand() { m.stranded = true }

// Rescue ends Strand.
func (m *Holder) Rescue() { m.stranded = false }

// Leave ends it, and releases its worker id if it can.
func (m *Holder) Leave() {
	if m.left {
		return
	}
	m.left = true
	m.stop()
	m.all.Wait()
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
