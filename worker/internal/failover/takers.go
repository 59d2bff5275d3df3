package failover

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

// takers are goroutines that take ids from one generator.
type takers struct {
	gen    *uid.CachedGenerator
	layout uid.Layout

	ids  [goroutines][]uid.ID // that each goroutine took, in its order
	last [goroutines]atomic.Int64
	stop context.CancelFunc
	all  sync.WaitGroup
}

const goroutines = 2

// take has the goroutines take ids until end, as fast as they are granted.
func take(gen *uid.CachedGenerator, layout uid.Layout) *takers {
	ctx, cancel := context.WithCancel(context.Background())
	m := &takers{gen: gen, layout: layout, stop: cancel}
	for i := range goroutines {
		m.all.Go(func() {
			for ctx.Err() == nil {
				m.takeOne(ctx, i)
			}
		})
	}
	return m
}

func (m *takers) takeOne(ctx context.Context, i int) {
	id, err := m.gen.GetUIDContext(ctx)
	if err != nil { // a fail-over that lasts: it waited, and goes on waiting
		select {
		case <-ctx.Done():
		case <-time.After(TTL / 20):
		}
		return
	}
	m.ids[i] = append(m.ids[i], id)
	m.last[i].Store(int64(id))
}

// end ends them and their generator, which gives its worker id back if it can.
func (m *takers) end() {
	m.stop()
	m.all.Wait()
	_ = m.gen.Close() // what it could not give back runs out
}

// Last is the tick, counted from the Unix epoch, that all goroutines have reached.
func (m *takers) Last() int64 {
	tick := int64(math.MaxInt64)
	for i := range m.last {
		tick = min(tick, m.tickOf(uid.ID(m.last[i].Load())))
	}
	return tick
}

// reached returns nil when ids of a tick after this one were taken.
func (m *takers) reached(tick int64) error {
	if last := m.Last(); last <= tick {
		return fmt.Errorf("the last tick is %d, %d before those waited for; %+v", last, tick-last,
			m.gen.Stats())
	}
	return nil
}

// WorkerID is the one that the generator has or had last.
func (m *takers) WorkerID() int64 { return m.gen.Stats().WorkerID }

func (m *takers) tickOf(id uid.ID) int64 {
	parts, err := m.layout.Parse(id)
	if err != nil {
		return math.MinInt64
	}
	return parts.Time.UnixNano() / int64(m.layout.Unit)
}

// duplicates are the ids that came more than once, of goroutines that have ended, and n
// is how many they took in all.
func duplicates(t *testing.T, all []*takers) (twice []uid.ID, n int) {
	t.Helper()
	var ids []uid.ID
	for _, m := range all {
		for _, taken := range m.ids {
			require.True(t, slices.IsSorted(taken), "what one goroutine gets from one generator grows")
			ids = append(ids, taken...)
		}
	}
	require.NotEmpty(t, ids)
	slices.Sort(ids)
	for i := 1; i < len(ids); i++ {
		if ids[i] == ids[i-1] {
			twice = append(twice, ids[i])
		}
	}
	return twice, len(ids)
}
