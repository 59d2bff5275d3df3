package uid

import (
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

// newPool is a layout with short or long ticks, and a store without rows.
func newPool(unit time.Duration) (settings, store.Store) {
	c := testConfig()
	c.Layout.Unit = unit
	c.Layout.TimeBits, c.Layout.WorkerBits = 45, 10
	return c, memstore.New()
}

func only() worker.Claim { return worker.Claim{First: 1, Count: 1, Logger: testConfig().Logger} }

// tickOfID is counted from the Unix epoch, as a lease counts.
func tickOfID(t *testing.T, l Layout, id ID) int64 {
	p, err := l.Parse(id)
	require.NoError(t, err)
	return l.epochTick() + p.Tick
}

// onlyRow is the row of the pool that has one.
func onlyRow(t *testing.T, s store.Store, l Layout) store.Row {
	v, err := s.View(t.Context(), poolOf(l), 0, math.MaxInt32)
	require.NoError(t, err)
	require.Len(t, v.Rows, 1)
	return v.Rows[0]
}

// A light load: ids are ahead of the clock, one after the other, until it has caught up. Then
// they carry the present time.
func TestANewPoolGivesItsFirstIDSoon(t *testing.T) {
	for _, unit := range []time.Duration{time.Millisecond, time.Second, 7 * time.Second} {
		eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
			c, s := newPool(unit)
			log, claim := logTo(&c), only()
			claim.Logger = c.Logger
			began := time.Now()
			g, err := open(worker.Leased(s, claim), c)
			require.NoError(t, err)
			defer g.Close()
			lag := time.Duration(0)
			if _, cached := g.(*CachedGenerator); cached {
				lag = defaultMaxLag
			}
			ids := take(t, g, 1)
			// Processes that wait for the same row try at random, up to 64 ms later.
			assert.LessOrEqual(t, time.Since(began), grants.DefaultSlack+2*unit+65*time.Millisecond)
			assert.NoError(t, g.Ready())
			offset := g.Stats()
			assert.Positive(t, offset.ClockUncertainty)
			assert.LessOrEqual(t, offset.ClockOffset.Abs(), offset.ClockUncertainty)
			p := poolOf(c.Layout)
			first := tickOfID(t, c.Layout, ids[0])
			opening := grants.Opening(p, began, grants.DefaultSlack)
			assert.Equal(t, opening+1, first, "right above the opening")
			for time.Since(began) < time.Minute {
				ids = append(ids, take(t, g, 1)...)
				last := tickOfID(t, c.Layout, ids[len(ids)-1])
				assert.LessOrEqual(t, last, onlyRow(t, s, c.Layout).High, "it was granted")
				require.NoError(t, g.Ready())
				time.Sleep(time.Second)
			}
			synctest.Wait()
			assert.NotContains(t, log.String(), "level=WARN")
			assert.Equal(t, 1, strings.Count(log.String(), "level=INFO"), log)
			time.Sleep(time.Minute)
			for range 10 {
				ids = append(ids, take(t, g, 1)...)
				last, now := tickOfID(t, c.Layout, ids[len(ids)-1]), p.TickAt(time.Now())
				assert.LessOrEqual(t, last, now, "the present")
				assert.GreaterOrEqual(t, last, now-int64(lag/unit))
				time.Sleep(unit)
			}
			assert.True(t, slices.IsSorted(ids))
			assert.Len(t, slices.Compact(ids), len(ids))
		})
	}
}

// A clock that is set back, whatever the policy says about that, as long as it has not caught
// up. After that the policy decides, as ever.
func TestAClockThatIsSetBackWhileTheGrantIsAheadDoesNotMatter(t *testing.T) {
	for name, back := range map[string]policy.ClockBack{"refuse": policy.Refuse, "turn": policy.Turn,
		"reserved": policy.Reserved{First: 1, Last: 2}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := testConfig()
				clock := new(setClock)
				c.Layout.TurnBits, c.MinSeq = 1, 3
				c.Now, c.ClockBack = clock.Now, back
				g, err := newDefault(t.Context(), granted(60, 10_000), c)
				require.NoError(t, err)
				defer g.Close()
				ids := take(t, g, 5)
				clock.step(-time.Hour)
				ids = append(ids, take(t, g, 100)...)
				time.Sleep(time.Second)
				clock.step(-time.Hour)
				ids = append(ids, take(t, g, 100)...)
				assert.True(t, slices.IsSorted(ids))
				assert.Len(t, slices.Compact(slices.Clone(ids)), 205)

				clock.step(3 * time.Hour)
				last := take(t, g, 1)[0]
				assert.Greater(t, last, ids[204])
				clock.step(-time.Minute)
				id, err := g.GetUID()
				switch name {
				case "refuse":
					assert.ErrorIs(t, err, ErrClockBack)
				default:
					require.NoError(t, err)
					assert.Less(t, id, last)
				}
			})
		})
	}
}

func TestAClockThatIsSetBackToBeforeTheGrant(t *testing.T) {
	c := testConfig()
	clock := new(setClock)
	c.Layout.TurnBits, c.Now, c.ClockBack = 1, clock.Now, policy.Turn
	defaultInBubble(t, granted(50, 10_000), c, func(t *testing.T, g *DefaultGenerator) {
		clock.step(time.Minute)
		take(t, g, 1)
		clock.step(-20 * time.Second)
		_, err := g.GetUIDContext(over())
		require.ErrorIs(t, err, ErrGrantEnded)
		assert.ErrorContains(t, err, "grants ids from 2000-01-01T00:00:50Z on")
	})
}

// What lies between was granted to the lease before.
func TestAClockThatIsSetBackToTheNextLease(t *testing.T) {
	c := testConfig()
	clock := new(setClock)
	c.MinSeq, c.Now, c.ClockBack = 3, clock.Now, policy.Reserved{First: 1, Last: 2}
	l := granted(0, 10_000)
	next := &succession{leases: []*testLease{l, granted(50, 100)}}
	defaultInBubble(t, next, c, func(t *testing.T, g *DefaultGenerator) {
		clock.step(time.Hour)
		take(t, g, 1)
		clock.step(time.Minute - time.Hour)
		l.lose(worker.ErrDeleted)
		synctest.Wait()
		_, err := g.GetUIDContext(over())
		require.ErrorIs(t, err, ErrClockBack)
	})
}

// The first step back has the first number, of however many. Before the layout's second tick there
// is no past, whose numbers would have to be tried.
func TestThePastBeginsWithTheFirstNumber(t *testing.T) {
	c := testConfig()
	clock := new(setClock)
	c.Layout = Layout{Epoch: bubbleStart, Unit: time.Second, TimeBits: 16, WorkerBits: 7, SeqBits: 40}
	c.MinSeq, c.Now, c.ClockBack = 1<<39, clock.Now, policy.Reserved{Last: 1<<39 - 1}
	defaultInBubble(t, worker.Static(3), c, func(t *testing.T, g *DefaultGenerator) {
		clock.step(time.Second)
		take(t, g, 1)
		clock.step(-time.Second)
		_, err := g.GetUIDContext(over())
		require.ErrorIs(t, err, ErrClockBack)
		clock.step(time.Minute)
		take(t, g, 1)
		for seq := range int64(3) {
			clock.step(-time.Second)
			p, err := g.ParseUID(take(t, g, 1)[0])
			require.NoError(t, err)
			assert.Equal(t, seq, p.Seq)
			clock.step(time.Minute)
			take(t, g, 1)
		}
	})
}

// The clock catches up with the tick itself, and is set back then: that is no run any more.
func TestARunThatBeganWithTheGrantEndsWhenTheClockCatchesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := testConfig()
		clock := new(setClock)
		c.Now = clock.Now
		g, err := newDefault(t.Context(), granted(5, 10_000), c)
		require.NoError(t, err)
		defer g.Close()
		take(t, g, 1)
		clock.step(5 * time.Second)
		assert.Equal(t, []int64{5}, seconds(t, take(t, g, 1)))
		clock.step(-2 * time.Second)
		_, err = g.GetUID()
		assert.ErrorIs(t, err, ErrClockBack)
	})
}

// The second tick begins when the clock's next one does. Ticks that were not used meanwhile
// are not caught up with: a burst gets what is left of its tick, and one or two more.
func TestARunThatBeganWithTheGrantKeepsTheClocksRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(400 * time.Millisecond)
		g, err := newDefault(t.Context(), granted(60, 10_000), testConfig())
		require.NoError(t, err)
		defer g.Close()
		ids := take(t, g, 17)
		assert.Equal(t, time.Second, time.Since(bubbleStart))
		time.Sleep(20 * time.Second)
		began := time.Now()
		for time.Since(began) == 0 {
			ids = append(ids, take(t, g, 1)...)
		}
		assert.Equal(t, []int64{60, 61, 62, 63, 64}, slices.Compact(seconds(t, ids)))
	})
}

// The next tick is waited for until it is granted, and what is granted may jump.
func TestAGrantThatEndsWhileItIsAheadIsWaitedFor(t *testing.T) {
	l := granted(60, 60)
	defaultInBubble(t, l, testConfig(), func(t *testing.T, g *DefaultGenerator) {
		take(t, g, 16)
		began := time.Now()
		_, err := g.GetUID()
		require.ErrorIs(t, err, ErrGrantEnded)
		assert.Equal(t, progressTimeout, time.Since(began))
		assert.Equal(t, bubbleStart.Unix()+61, l.asked())
		go func() {
			time.Sleep(time.Second)
			l.set(func() { l.hi++ })
		}()
		assert.Equal(t, []int64{61}, seconds(t, take(t, g, 1)))
		l.set(func() { l.lo, l.hi = bubbleStart.Unix()+90, bubbleStart.Unix()+100 })
		time.Sleep(maxSegment)
		began = time.Now()
		assert.Equal(t, []int64{90}, seconds(t, take(t, g, 1)))
		assert.Zero(t, time.Since(began))
	})
}

// Ids above Config.Above wait for the clock, and so does whoever has an unfenced worker id
// without grants. One whose ticks are granted one by one begins with its grant.
func TestWhoMayNotBeginAheadOfTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		above := testConfig()
		var err error
		above.Above, err = testLayout.MaxID(time.Now().Add(2 * time.Second))
		require.NoError(t, err)
		g, err := newDefault(t.Context(), granted(-1000, 1000), above)
		require.NoError(t, err)
		defer g.Close()
		assert.ErrorIs(t, g.Ready(), ErrAhead)
		assert.ErrorContains(t, g.Ready(), "ids above Config.Above begin at 2000-01-01T00:00:03Z")
		assert.Equal(t, []int64{3}, seconds(t, take(t, g, 1)))
		assert.Equal(t, 3*time.Second, time.Since(bubbleStart))

		for _, c := range []struct {
			lo, first int64
			err       error // of Ready at three seconds
		}{{math.MinInt64, 4, ErrAhead}, {bubbleStart.Unix() + 60, 60, nil}} {
			l := unfencedLease{&testLease{id: 7, lo: c.lo, hi: math.MaxInt64}}
			g, err := newDefault(t.Context(), assigner(func() worker.Lease { return l }), unfenced())
			require.NoError(t, err)
			defer g.Close()
			assert.ErrorIs(t, g.Ready(), c.err)
			assert.Equal(t, []int64{c.first}, seconds(t, take(t, g, 1)))
		}
		assert.Equal(t, 4*time.Second, time.Since(bubbleStart))
	})
}

// Neither a grant of nothing that lies ahead, nor one that is over, is one to begin with.
func TestNothingBeginsInAGrantThatIsNone(t *testing.T) {
	for name, l := range map[string]*testLease{"ahead": granted(100, 99), "over": granted(-9, -5)} {
		t.Run(name, func(t *testing.T) {
			defaultInBubble(t, l, testConfig(), func(t *testing.T, g *DefaultGenerator) {
				_, err := g.GetUIDContext(over())
				assert.ErrorIs(t, err, ErrGrantEnded)
			})
		})
	}
}
