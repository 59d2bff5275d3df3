package uid

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// trustingInBubble runs a test with a generator that goes by the monotonic clock
// alone for as long as it does on the machine's, and a wall clock that is set.
func trustingInBubble(t *testing.T, a worker.Assigner,
	test func(t *testing.T, g *DefaultGenerator, offset *time.Duration)) {
	synctest.Test(t, func(t *testing.T) {
		var offset time.Duration
		c := testConfig()
		c.Now = func() time.Time { return time.Now().Add(offset) }
		g := trusting(t, a, c, maxSegment)
		defer g.Close()
		test(t, g, &offset)
	})
}

// What is promised about a wall clock that is set: until it is noticed, ids go on in
// the tick that it left.
func TestAClockThatIsSetIsNoticedAfterAMillisecond(t *testing.T) {
	for name, by := range map[string]time.Duration{"back": -time.Minute, "forward": time.Hour} {
		t.Run(name, func(t *testing.T) {
			trustingInBubble(t, worker.Static(3),
				func(t *testing.T, g *DefaultGenerator, offset *time.Duration) {
					first := take(t, g, 1)[0]
					*offset = by
					assert.Equal(t, first+1, take(t, g, 1)[0])
					time.Sleep(maxSegment - 1)
					assert.Equal(t, first+2, take(t, g, 1)[0])
					time.Sleep(time.Nanosecond)
					id, err := g.GetUID()
					if by < 0 {
						require.ErrorIs(t, err, ErrClockBack)
						*offset = 0
						assert.Equal(t, first+3, take(t, g, 1)[0], "goes on where it was, at once")
						return
					}
					require.NoError(t, err)
					assert.Equal(t, []int64{int64(by / time.Second)}, seconds(t, []ID{id}))
				})
		})
	}
}

// A call that was paused between its look and its add gets nothing of the other track, whose
// numbers are smaller.
func TestACallFromBeforeATurnGetsNothingAfterIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var offset time.Duration
		c := testConfig()
		c.Layout.TurnBits, c.ClockBack = 1, policy.Turn
		c.Now = func() time.Time { return time.Now().Add(offset) }
		g := trusting(t, worker.Static(3), c, maxSegment)
		defer g.Close()
		take(t, g, 1)
		paused := g.seq.cur.Load()
		last := paused.last.Load()
		offset = -time.Minute
		time.Sleep(maxSegment)
		p, err := g.ParseUID(take(t, g, 2)[1])
		require.NoError(t, err)
		require.EqualValues(t, 1, p.Turn)
		assert.Greater(t, paused.next.Add(1)-1, last)
	})
}

// While a lease is being replaced, a take comes before the old one's segment was closed: it closes
// it, and gives none of its numbers again.
func TestATakeWhileALeaseIsReplacedClosesTheSegment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := testConfig()
		c.Layout.Epoch = bubbleStart
		g := trusting(t, worker.Static(3), c, maxSegment)
		defer g.Close()
		last := take(t, g, 5)[4]
		next := *g.held.Load()
		g.held.Store(&next)
		id, n, b := g.seq.try(1)
		require.Nil(t, b)
		require.Equal(t, 1, n)
		assert.Equal(t, last+1, id)
	})
}

// However long a call is paused between its looks at the two clocks.
func TestASegmentEndsWithItsTickThoughTheClockWasReadSlowly(t *testing.T) {
	for name, open := range map[string]func(*testing.T, settings) generator{
		"default": func(t *testing.T, c settings) generator {
			return trusting(t, worker.Static(3), c, maxSegment)
		},
		"cached": func(t *testing.T, c settings) generator {
			g := cached(t, worker.Static(3), c)
			g.mint.padder.Do(func() { g.conf.maxSegment = maxSegment })
			return g
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var takes atomic.Int64 // of the clock's reader
				c := testConfig()
				c.Now = func() time.Time {
					now := time.Now()
					time.Sleep(time.Duration(takes.Load()))
					return now
				}
				time.Sleep(maxSegment / 2) // no millisecond of the monotonic clock ends with the tick
				g := open(t, c)
				defer g.Close()
				time.Sleep(time.Until(bubbleStart.Add(time.Second - maxSegment/2)))
				takes.Store(int64(maxSegment / 4))
				ids := take(t, g, 1)
				time.Sleep(maxSegment / 4)
				ids = append(ids, take(t, g, 1)...)
				assert.Equal(t, []int64{0, 1}, seconds(t, ids))
			})
		})
	}
}
