package uid

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/ringbuffer"
	"github.com/ringuid/ringuid/worker"
)

// presentConfig has ticks of a millisecond.
func presentConfig() settings {
	c := testConfig()
	c.Layout = lagLayouts["milliseconds"]
	return c
}

// takeBurst takes n ids in each of so many milliseconds, in a bubble.
func takeBurst(t *testing.T, g *CachedGenerator, milliseconds, n int) {
	for range milliseconds {
		take(t, g, n)
		time.Sleep(time.Millisecond)
	}
}

func TestTheRingPaysInABurst(t *testing.T) {
	for name, c := range map[string]struct {
		load func(t *testing.T, g *CachedGenerator)
		pays bool
	}{
		"a burst": {func(t *testing.T, g *CachedGenerator) { takeBurst(t, g, 8, 257) }, true},
		"a shorter one": {func(t *testing.T, g *CachedGenerator) {
			takeBurst(t, g, 7, 4096)
		}, false},
		"the highest rate that is none": {func(t *testing.T, g *CachedGenerator) {
			takeBurst(t, g, 1000, 256)
		}, false},
		"with a gap": {func(t *testing.T, g *CachedGenerator) {
			for range 10 {
				takeBurst(t, g, 7, 2000)
				time.Sleep(time.Millisecond)
			}
		}, false},
		"a batch is a take": {func(t *testing.T, g *CachedGenerator) {
			for range 10 * 256 {
				_, err := g.AppendUIDs(nil, 15)
				require.NoError(t, err)
				time.Sleep(time.Millisecond / 256)
			}
		}, false},
		"a stream's ids are takes": {func(t *testing.T, g *CachedGenerator) {
			s := g.Stream()
			for range 8 {
				takeAll(t, s, 257)
				time.Sleep(time.Millisecond)
			}
		}, true},
		"a crowd": {func(t *testing.T, g *CachedGenerator) {
			g.mint.waiting.Add(burst + 1) // that is how many wait for the critical section
			take(t, g, 1)
			g.mint.waiting.Add(-burst - 1)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, presentConfig(), func(t *testing.T, g *CachedGenerator) {
				c.load(t, g)
				take(t, g, 1)
				assert.Equal(t, c.pays, g.Stats().Refills > 0)
				time.Sleep(time.Second) // the ring is dropped when it is old, and no longer pays
				synctest.Wait()
				refills := g.Stats().Refills
				takeBurst(t, g, 100, 5)
				assert.Equal(t, refills, g.Stats().Refills)
				assert.Zero(t, g.Stats().Left)
			})
		})
	}
}

// Neither the start fills the ring, nor a renewal, nor another lease, nor a restore. RejectPut is
// not asked about what takes make, nor RejectTake.
func TestNothingElseFillsTheRing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := bubbleStart.UnixMilli()
		leases := make([]*testLease, 3)
		for i := range leases {
			leases[i] = &testLease{id: 7, hi: start + 60_000}
		}
		first := leases[0]
		c := presentConfig()
		c.RejectTake = policy.Fail
		c.RejectPut = func(int64, time.Time) bool { t.Error("asked"); return true }
		g, err := newCached(t.Context(), &succession{leases: leases}, c)
		require.NoError(t, err)
		defer g.Close()
		take(t, g, 1)
		assert.Equal(t, start+1, first.wanted, "before it is needed")
		for _, change := range []func(){
			func() { first.set(func() { first.hi += 60_000 }) },
			func() { first.lose(errors.New("it expired")) },
			g.AfterRestore,
		} {
			change()
			synctest.Wait()
			time.Sleep(time.Second) // until all copies have asked for another worker id
			take(t, g, 10)
			assert.Zero(t, g.Stats().Refills)
		}
		assert.EqualValues(t, 3, g.Stats().Leases)
	})
}

// A take may empty a ring that RejectPut is still to be asked about.
func TestRejectPutIsNotAskedAboutWhatTakesMake(t *testing.T) {
	asked := 0
	c := presentConfig()
	c.RejectPut = func(int64, time.Time) bool { asked++; return true }
	inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
		fill(g)
		require.Equal(t, 1, asked)
		g.mint.padder.Do(func() { g.mint.asks = true })
		for g.mint.used() > 0 {
			g.mint.ring.Take(ringbuffer.Attempt{}, ringbuffer.MaxSpan) // and the padder is not told
		}
		g.mint.padder.Do(func() { g.mint.pays = false })
		take(t, g, 1)
		g.mint.Refilled()
		assert.Equal(t, 1, asked)
	})
}

// A stream holds ids of the ring alone: a flush reaches nothing else.
func TestAStreamHoldsNothingThatWasNotPut(t *testing.T) {
	inBubble(t, presentConfig(), func(t *testing.T, g *CachedGenerator) {
		s := g.Stream()
		for range 100 {
			takeAll(t, s, 1)
			require.Greater(t, s.next, s.last)
		}
		assert.EqualValues(t, 100, g.Stats().Taken)
		fill(g)
		takeAll(t, s, 1)
		assert.EqualValues(t, 102, g.Stats().Taken, "spans have yet to grow")
	})
}

// From when Close has begun nothing is made, even by a take that was halfway: the worker id may be
// another process's.
func TestATakeThatWasHalfwayMakesNothingAfterClose(t *testing.T) {
	inBubble(t, presentConfig(), func(t *testing.T, g *CachedGenerator) {
		take(t, g, 1)
		g.end(ErrClosed)
		g.mint.padder.Do(g.mint.stop)
		_, n, b := g.mint.try(1, 1)
		require.NotNil(t, b)
		assert.ErrorIs(t, b.err, ErrClosed)
		assert.Zero(t, n)
	})
}

// The ids of a segment end with its tick, by the monotonic clock: a take reads no other.
func TestASegmentEndsWithItsTick(t *testing.T) {
	for name, layout := range lagLayouts {
		t.Run(name, func(t *testing.T) {
			c := testConfig()
			c.Layout = layout
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(layout.Unit / 3) // ticks do not end with a millisecond of the monotonic clock
				g := cached(t, worker.Static(3), c)
				for range 100 {
					p, err := g.ParseUID(take(t, g, 1)[0])
					require.NoError(t, err)
					require.Equal(t, layout.unixTick(time.Now()), layout.unixTick(p.Time))
					time.Sleep(layout.Unit / 10)
				}
				time.Sleep(layout.Unit - time.Since(bubbleStart)%layout.Unit - 1)
				take(t, g, 1)
				time.Sleep(time.Nanosecond)
				p, err := g.ParseUID(take(t, g, 1)[0])
				require.NoError(t, err)
				assert.Zero(t, time.Since(p.Time))
			})
		})
	}
}

// A ring that the schedule has filled pays no more than an empty one.
func TestTheScheduleMakesNoBurst(t *testing.T) {
	c := testConfig()
	c.ScheduleInterval = 10 * time.Second
	inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
		time.Sleep(13 * time.Second) // the ring has eight ticks, of which some are old
		synctest.Wait()
		s := g.Stats()
		assert.Positive(t, s.Dropped)
		assert.Positive(t, s.Left)
		g.mint.padder.Do(func() { assert.False(t, g.mint.pays) })
	})
}

func TestAnIDThatATakeMakesIsProgress(t *testing.T) {
	inBubble(t, presentConfig(), func(t *testing.T, g *CachedGenerator) {
		time.Sleep(time.Minute)
		take(t, g, 1)
		assert.EqualValues(t, g.mono(), g.mint.queue.progress.Load())
	})
}
