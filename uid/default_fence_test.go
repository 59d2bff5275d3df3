package uid

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
)

// What ends a lease waits for a take that is under way, and nothing of that lease comes
// after: what Close gives back is the highest tick, right after which the next holder begins.
func TestNoTakeOutlivesItsLease(t *testing.T) {
	for name, end := range map[string]func(*DefaultGenerator){
		"restore": (*DefaultGenerator).AfterRestore,
		"fence":   func(g *DefaultGenerator) { g.flush() },
		"close":   func(g *DefaultGenerator) { assert.NoError(t, g.Close()) },
	} {
		for _, takes := range []int{0, 1, 16} { // of a tick of 16
			t.Run(fmt.Sprint(name, " after ", takes), func(t *testing.T) {
				now, halt := bubbleStart, func() {}
				c := testConfig()
				c.Now = func() time.Time { halt(); return now }
				l := &restoring{testLease: granted(0, 1000)}
				g, err := newDefault(t.Context(), l, c)
				require.NoError(t, err)
				defer g.Close()
				take(t, g, takes)
				now = now.Add(5 * time.Second)
				looks, goOn := make(chan struct{}), make(chan struct{})
				halt = func() { halt = func() {}; close(looks); <-goOn }
				got, ended := make(chan ID, 1), make(chan struct{})
				go func() { got <- take(t, g, 1)[0] }()
				<-looks
				go func() { end(g); close(ended) }()
				select {
				case <-ended:
					t.Error("it did not wait for the take")
				case <-time.After(10 * time.Millisecond):
				}
				close(goOn)
				<-ended
				if name == "close" {
					assert.Equal(t, seconds(t, []ID{<-got})[0]+bubbleStart.Unix(), l.released[0])
					return
				}
				_, err = g.GetUIDContext(over())
				if name == "restore" {
					assert.ErrorIs(t, err, ErrLeaseLost)
				} else {
					assert.ErrorIs(t, err, ErrTickFull, "the tick is over, too")
				}
				assert.Equal(t, []int64{5}, seconds(t, []ID{<-got}))
			})
		}
	}
}

// descending hands out leases with the worker ids below one another, so that ids
// of the next are smaller in the same tick.
type descending struct {
	mu   sync.Mutex
	next int64
	last *testLease
}

func (d *descending) Assign(context.Context, worker.Need) (worker.Lease, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.next--
	d.last = &testLease{id: d.next, lo: math.MinInt64, hi: math.MaxInt64}
	return d.last, nil
}

func (d *descending) lose(why error) {
	d.mu.Lock()
	l := d.last
	d.mu.Unlock()
	l.lose(why)
}
