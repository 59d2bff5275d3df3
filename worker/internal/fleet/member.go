package fleet

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker/store"
)

// Member is a generator and those who take ids from it.
type Member struct {
	store *witness
	gen   *uid.CachedGenerator
	ids   [][]uid.ID // by goroutine
	last  []atomic.Int64
	stop  context.CancelFunc
	all   sync.WaitGroup
	left  bool
}

// take has n goroutines take ids until Leave.
func (m *Member) take(n int) {
	ctx, cancel := context.WithCancel(context.Background())
	m.stop, m.ids, m.last = cancel, make([][]uid.ID, n), make([]atomic.Int64, n)
	for i := range n {
		m.all.Go(func() {
			for ctx.Err() == nil {
				id, err := m.gen.GetUIDContext(ctx)
				if err != nil {
					continue // a fail-over that lasts: it waited, and goes on waiting
				}
				m.ids[i] = append(m.ids[i], id)
				m.last[i].Store(int64(id))
			}
		})
	}
}

// newest is the tick, since the Unix epoch, to which all goroutines have come.
func (m *Member) newest() int64 {
	tick := int64(math.MaxInt64)
	for i := range m.last {
		tick = min(tick, tickOf(uid.ID(m.last[i].Load())))
	}
	return tick
}

func tickOf(id uid.ID) int64 {
	parts, err := Layout.Parse(id)
	if err != nil {
		return math.MinInt64
	}
	return parts.Time.UnixNano() / int64(Layout.Unit)
}

// WorkerID is the one that it has or had last.
func (m *Member) WorkerID() int64 { return m.gen.Stats().WorkerID }

// CutOff keeps the generator from its store, until Mend. It does not know.
func (m *Member) CutOff() { m.store.silent.Store(true) }

// Mend ends CutOff.
func (m *Member) Mend() { m.store.silent.Store(false) }

// Leave ends the generator, which gives its worker id back if it can.
func (m *Member) Leave() {
	if m.left {
		return
	}
	m.left = true
	m.stop()
	m.all.Wait()
	_ = m.gen.Close() // what it could not give back runs out
}

// witness is a store whose writes and views are noted.
type witness struct {
	store.Store
	ledger *ledger
	silent atomic.Bool
}

func (w *witness) View(ctx context.Context, namespace string, first, last int64) (store.View, error) {
	if w.silent.Load() {
		return store.View{}, errSilent
	}
	acknowledged, begin := w.ledger.acknowledged(), time.Now()
	v, err := w.Store.View(ctx, namespace, first, last)
	if err == nil {
		w.ledger.compare(acknowledged, v, begin)
	}
	return v, err
}

func (w *witness) Write(ctx context.Context, write store.Write) (bool, error) {
	if w.silent.Load() {
		return false, errSilent
	}
	w.ledger.sent(write)
	applied, err := w.Store.Write(ctx, write)
	w.ledger.answered(write, applied, err)
	return applied, err
}
