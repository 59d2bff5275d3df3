package uid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A tick of which nothing is left has no rest to pass over when another worker id
// takes over, and a sequence of which no value was given out yet has no tick to end. The
// call that is halfway through, from a full tick to the next or to the first, must not get
// an id of the old worker id all the same.
func TestACallThatLeavesAFullTickIsNotOfAWorkerIdThatWasReplaced(t *testing.T) {
	gone := errors.New("the rows are gone")
	for seqBits := range 4 {
		for name, c := range map[string]struct {
			lost error
			get  func(*DefaultGenerator) (ID, error)
		}{
			"GetUID, lost":   {gone, (*DefaultGenerator).GetUID},
			"GetUID, fenced": {worker.ErrFenced, (*DefaultGenerator).GetUID},
			"a name's, lost": {gone,
				func(g *DefaultGenerator) (ID, error) { return g.Keyed("a").GetUID() }},
			"a name's, fenced": {worker.ErrFenced,
				func(g *DefaultGenerator) (ID, error) { return g.Keyed("a").GetUID() }},
		} {
			t.Run(fmt.Sprintf("%s, %d bits", name, seqBits), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					first, second := granted(0, math.MaxInt32), granted(0, math.MaxInt32)
					first.id, second.id = 9, 2 // a lower one
					halfway := func() {}
					config := testConfig()
					config.Layout.SeqBits = seqBits
					config.Now = func() time.Time {
						halfway()
						return time.Now()
					}
					leases := &succession{leases: []*testLease{first}}
					g, err := NewDefault(t.Context(), leases, config)
					require.NoError(t, err)
					defer g.Close()
					last, taken := ID(-1), 1<<seqBits // all ids of the tick
					if seqBits == 3 {
						taken = 0
					}
					for range taken {
						last, err = c.get(g)
						require.NoError(t, err)
					}
					halfway = func() {
						halfway = func() {}
						if c.lost == gone {
							leases.add(second)
						}
						first.set(func() { first.err = c.lost })
						synctest.Wait()
						if c.lost != gone { // the fence is followed, and another comes later
							leases.add(second)
						}
						time.Sleep(time.Second)
					}
					for range 3 {
						id, err := c.get(g)
						require.NoError(t, err)
						assert.Greater(t, id, last)
						p, err := g.ParseUID(id)
						require.NoError(t, err)
						assert.EqualValues(t, 2, p.Worker)
						last = id
					}
				})
			})
		}
	}
}

// haltingLease stops whoever asks it what is granted.
type haltingLease struct {
	*testLease
	halt atomic.Pointer[chan struct{}]
}

func (l *haltingLease) Grant() (lo, hi int64) {
	lo, hi = l.testLease.Grant()
	if halt := l.halt.Load(); halt != nil {
		<-*halt
	}
	return lo, hi
}

// The call has been told that its tick is granted, and then stands still until the
// fence is followed, or the machine was restored: what it was told is void, also
// when the tick that it leaves is full.
func TestWhatWasGrantedBeforeAFenceIsNotUsedAfterIt(t *testing.T) {
	for name, end := range map[string]func(*testLease, *DefaultGenerator){
		"fence":   func(l *testLease, _ *DefaultGenerator) { l.set(func() { l.err = worker.ErrFenced }) },
		"restore": func(_ *testLease, g *DefaultGenerator) { g.AfterRestore() },
	} {
		for _, taken := range []int{1, 16} {
			t.Run(fmt.Sprintf("%s, %d taken", name, taken), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					first, second := &haltingLease{testLease: granted(0, math.MaxInt32)}, granted(0, math.MaxInt32)
					second.id = 2
					leases := &answers{leases: []worker.Lease{first, second}}
					g, err := NewDefault(t.Context(), leases, testConfig())
					require.NoError(t, err)
					defer g.Close()
					take(t, g, taken)
					time.Sleep(time.Second)
					halt := make(chan struct{})
					first.halt.Store(&halt)
					answer := make(chan ID)
					go func() { answer <- take(t, g, 1)[0] }()
					synctest.Wait()
					first.halt.Store(nil)
					end(first.testLease, g)
					synctest.Wait()
					close(halt)
					p, err := g.ParseUID(<-answer)
					require.NoError(t, err)
					assert.EqualValues(t, 2, p.Worker)
				})
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
	l.set(func() { l.err = why })
}

// What Close gives back is the highest tick, and the next holder of the worker id
// begins right after it. So a call that is halfway through, between its look at
// the sequence and its id, must not get one above that.
func TestNoCallGetsAnIDAboveWhatCloseGaveBack(t *testing.T) {
	for name, get := range map[string]func(*DefaultGenerator) (ID, error){
		"GetUID":               (*DefaultGenerator).GetUID,
		"a name's":             func(g *DefaultGenerator) (ID, error) { return g.Keyed("a").GetUID() },
		"the last of its tick": nil,
	} {
		t.Run(name, func(t *testing.T) {
			first := 1
			if get == nil {
				get, first = (*DefaultGenerator).GetUID, 16
			}
			now := bubbleStart
			l := &testLease{id: 7, lo: now.Unix(), hi: now.Unix() + 1000}
			halfway := func() {}
			c := testConfig()
			c.Now = func() time.Time {
				halfway()
				return now
			}
			g, err := NewDefault(t.Context(), l, c)
			require.NoError(t, err)
			for range first {
				_, err = get(g)
				require.NoError(t, err)
			}
			now = now.Add(5 * time.Second)
			halfway = func() {
				halfway = func() {}
				assert.NoError(t, g.Close())
			}
			_, err = get(g)
			assert.ErrorIs(t, err, ErrClosed)
			assert.Equal(t, []int64{bubbleStart.Unix()}, l.released)
		})
	}
}
