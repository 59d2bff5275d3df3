package uid

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/race"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// presentLease grants ticks up to the present one: nothing may be borrowed.
type presentLease struct {
	testLease
	layout Layout
}

func (l *presentLease) Assign(context.Context, worker.Need) (worker.Lease, error) { return l, nil }

func (l *presentLease) Grant() (lo, hi int64) {
	return math.MinInt64,
		l.layout.unixTick(time.Now())
}

// lagLayouts have ticks of all lengths, and room from the bubble's start.
var lagLayouts = map[string]Layout{
	"seconds": {Epoch: testLayout.Epoch, Unit: time.Second, TimeBits: 28, WorkerBits: 22,
		SeqBits: 13},
	"milliseconds": {Epoch: testLayout.Epoch, Unit: time.Millisecond, TimeBits: 41, WorkerBits: 10,
		SeqBits: 12},
	"minutes": {Epoch: testLayout.Epoch, Unit: time.Minute, TimeBits: 25, WorkerBits: 18,
		SeqBits: 20},
	"0.4 seconds": {Epoch: testLayout.Epoch, Unit: 400 * time.Millisecond, TimeBits: 31,
		WorkerBits: 22, SeqBits: 4},
}

// At every rate that the ticks hold, the time in an id is no older than one tick
// and MaxLag, and no newer than the present tick.
func TestIdsTellTheTruthAboutTime(t *testing.T) {
	for name, layout := range lagLayouts {
		capacity := float64(layout.maxSeq()+1) / layout.Unit.Seconds()
		for _, rate := range []float64{1, 10, 100, 500, 5_000, 100_000, capacity / 2, capacity * 0.99,
			capacity} {
			if rate > capacity {
				continue
			}
			for kind, change := range map[string]func(*settings) worker.Assigner{
				"unlimited": func(*settings) worker.Assigner { return worker.Static(3) },
				"unfenced": func(c *settings) worker.Assigner {
					c.AllowRepeats = false
					return worker.Static(3)
				},
				"no future": func(c *settings) worker.Assigner { return &presentLease{layout: c.Layout} },
				"MaxAhead": func(c *settings) worker.Assigner {
					c.MaxAhead = time.Nanosecond
					return worker.Static(3)
				},
				"small ring": func(c *settings) worker.Assigner { c.RingSize = 16; return worker.Static(3) },
				"large ring": func(c *settings) worker.Assigner {
					c.RingSize = 1 << 16
					return worker.Static(3)
				},
			} {
				t.Run(fmt.Sprintf("%s/%.0f a second/%s", name, rate, kind), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						c := testConfig()
						c.Layout = layout
						a := change(&c)
						if !c.AllowRepeats && layout.Unit > 5*time.Second {
							_, err := newCached(t.Context(), a, c)
							require.ErrorIs(t, err, ErrConfig, "an unfenced worker id with such ticks is refused")
							return
						}
						time.Sleep(layout.Unit / 3)
						g, err := newCached(t.Context(), a, c)
						require.NoError(t, err)
						defer g.Close()
						takeAtRate(t, g, rate)
						if kind == "unlimited" {
							assert.Zero(t, g.Stats().Waits)
						}
					})
				})
			}
		}
	}
}

// takeAtRate takes for some seconds, ticks and takes, and looks at the time in each
// id.
func takeAtRate(t *testing.T, g *CachedGenerator, rate float64) {
	start := time.Now()
	last := ID(-1)
	for i := range int(min(max(rate*5, 100), 5_000/race.Slow)) {
		time.Sleep(time.Duration(float64(i)/rate*float64(time.Second)) - time.Since(start))
		synctest.Wait()
		id, err := g.GetUID()
		require.NoError(t, err)
		require.Greater(t, id, last)
		last = id
		p, err := g.ParseUID(id)
		require.NoError(t, err)
		age := time.Since(p.Time)
		require.GreaterOrEqual(t, age, time.Duration(0), "take %d is from the future", i)
		require.LessOrEqual(t, age, g.conf.Layout.Unit+g.conf.MaxLag, "take %d is old", i)
	}
}

// In an idle generator no timer fires, and its first id is of the present tick all the same.
func TestAnIdleGeneratorDoesNothing(t *testing.T) {
	for name, layout := range lagLayouts {
		for kind, change := range map[string]func(*settings){
			"unlimited": func(*settings) {},
			"unfenced":  func(c *settings) { c.AllowRepeats = false },
			"MaxAhead":  func(c *settings) { c.MaxAhead = time.Nanosecond },
			"no MaxLag": func(c *settings) { c.MaxLag = -1 }, // then ids stay, however old they are
		} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				var looks atomic.Int64
				c := testConfig()
				c.Layout, c.RejectTake = layout, policy.Fail
				c.Now = func() time.Time { looks.Add(1); return time.Now() }
				change(&c)
				if !c.AllowRepeats && layout.Unit > 5*time.Second {
					return // it is refused
				}
				inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
					for _, s := range []taker{g, g.Stream(), g} {
						time.Sleep(10 * time.Minute) // as many ticks of a minute are in the ring, at most
						synctest.Wait()
						before := looks.Load()
						time.Sleep(time.Hour)
						synctest.Wait()
						assert.Equal(t, before, looks.Load())
						require.NoError(t, g.Ready())
						p, err := g.ParseUID(takeAll(t, s, 1)[0])
						require.NoError(t, err)
						if c.MaxLag >= 0 {
							assert.Equal(t, layout.unixTick(time.Now()), layout.unixTick(p.Time))
						}
					}
					assert.Zero(t, g.Stats().Waits)
				})
			})
		}
	}
}

// At the layout's end ids are left for which there will be no newer ones: they stay,
// and the padder sleeps.
func TestAtTheLayoutsEndThePadderSleeps(t *testing.T) {
	var looks atomic.Int64
	c := testConfig()
	c.Layout = Layout{Epoch: bubbleStart.Add(-(1<<10 - 4) * time.Second), Unit: time.Second,
		TimeBits: 10, WorkerBits: 49, SeqBits: 4}
	c.Now = func() time.Time { looks.Add(1); return time.Now() }
	inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
		time.Sleep(time.Minute)
		synctest.Wait()
		before := looks.Load()
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.LessOrEqual(t, looks.Load()-before, int64(3600*5*2))
		assert.EqualValues(t, 4*16, g.Stats().Left)
		take(t, g, 4*16)
		_, err := g.GetUID()
		assert.ErrorIs(t, err, ErrTimeOver)
	})
}

// In an outage the ring is what there is: nothing of it is thrown away before newer
// ids can be minted in its place.
func TestInAnOutageTheRingIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := bubbleStart.Unix()
		l := granted(0, 60)
		c := testConfig()
		g, err := newCached(t.Context(), l, c)
		require.NoError(t, err)
		defer g.Close()
		takeAtRate(t, g, 10) // five seconds or more, and then the store does not answer any more
		left := g.Stats().Left
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		full := g.Stats().Left
		require.GreaterOrEqual(t, full, left)
		require.Greater(t, full, int64(100))
		assert.InDelta(t, 10*time.Minute-time.Minute, -g.Stats().Ahead, float64(time.Minute))
		ids := take(t, g, int(full)-10)
		assert.EqualValues(t, start+60, g.Stats().LastTick.Unix())
		s := g.Stats()
		assert.EqualValues(t, 10, s.Left)

		l.set(func() { l.hi = start + 10_000 })
		synctest.Wait()
		next := take(t, g, 1)
		assert.EqualValues(t, time.Since(bubbleStart)/time.Second, seconds(t, next)[0],
			"newer ones took the place of the last ten")
		assert.Greater(t, next[0], ids[len(ids)-1])
	})
}

// However late the padder gets a CPU, the ring is full when the grant ends: no more ticks are
// dropped than can be minted.
func TestTheRingIsFullWhenTheGrantEnds(t *testing.T) {
	for left := range int64(12) { // ticks of the grant when the padder looks again
		synctest.Test(t, func(t *testing.T) {
			var late atomic.Int64
			c := testConfig()
			c.Layout = lagLayouts["milliseconds"]
			c.Now = func() time.Time { return time.Now().Add(time.Duration(late.Load())) }
			end := bubbleStart.Add(time.Minute)
			l := &testLease{id: 7, lo: bubbleStart.UnixMilli(), hi: end.UnixMilli() - 1}
			g, err := newCached(t.Context(), l, c)
			require.NoError(t, err)
			defer g.Close()
			time.Sleep(59*time.Second + 700*time.Millisecond)
			late.Store(int64(time.Until(end) - time.Duration(left)*time.Millisecond))
			time.Sleep(time.Second)
			synctest.Wait()
			assert.EqualValues(t, g.mint.size(), g.Stats().Left, "%d ticks before the end", left)
		})
	}
}

// What a stream has taken from the ring follows the clock, too, whatever keeps the padder, as soon
// as there are newer ids.
func TestHeldSpansFollowTheClockThroughAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := testConfig()
		c.Layout = lagLayouts["seconds"]
		l := granted(0, 2)
		g, err := newCached(t.Context(), l, c)
		require.NoError(t, err)
		defer g.Close()
		s := g.Stream()
		takeAll(t, s, 4)        // the first of four in a row: one and two were used up
		for g.mint.used() > 0 { // others take the rest
			_, _, err := g.mint.span(noContext, math.MaxInt)
			require.NoError(t, err)
		}
		time.Sleep(55 * time.Minute)
		takeAll(t, s, 1) // an old one: there is none newer in the world
		l.set(func() { l.hi = math.MaxInt32 })
		synctest.Wait()
		p, err := g.ParseUID(takeAll(t, s, 1)[0])
		require.NoError(t, err)
		assert.LessOrEqual(t, time.Since(p.Time), 2*time.Second)
	})
}
