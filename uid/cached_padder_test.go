package uid

import (
	"bytes"
	"log/slog"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/ringbuffer"
	"github.com/ringuid/ringuid/worker"
)

// padded is a generator with a ring of eight slots of one id, four of which are a second's. A
// take never waits, and ids do not become old, unless the test changes that.
type padded struct {
	*CachedGenerator
	t     *testing.T
	lease *testLease
	log   *bytes.Buffer
}

func withPadder(t *testing.T, change func(*settings, *testLease), test func(padded)) {
	synctest.Test(t, func(t *testing.T) {
		p := padded{t: t, log: &bytes.Buffer{},
			lease: &testLease{id: 7, lo: math.MinInt64, hi: math.MaxInt64}}
		c := testConfig()
		c.Layout.SeqBits, c.RingSize, c.MaxLag, c.RejectTake = 2, 8, -1, policy.Fail
		c.Logger = slog.New(slog.NewTextHandler(p.log, nil))
		change(&c, p.lease)
		var a worker.Assigner = p.lease
		if !c.AllowRepeats {
			a = worker.Static(7)
		}
		g, err := newCached(t.Context(), a, c)
		require.NoError(t, err)
		defer g.Close()
		p.CachedGenerator = g
		synctest.Wait()
		test(p)
	})
}

// take takes n ids, or those there are, and lets the padder do its work. It returns their
// ticks, counted from the bubble's start.
func (p padded) take(n int) (ticks []int64) {
	p.t.Helper()
	ids, err := p.AppendUIDs(nil, n)
	if err != nil {
		require.ErrorIs(p.t, err, ErrRingEmpty)
	}
	for _, id := range ids {
		parts, err := p.ParseUID(id)
		require.NoError(p.t, err)
		ticks = append(ticks, int64(parts.Time.Sub(bubbleStart)/p.layout.Unit))
	}
	synctest.Wait()
	return ticks
}

func (p padded) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (p padded) used() int { return p.mint.used() }

// lines counts those lines of the log that have this text.
func (p padded) lines(text string) int { return strings.Count(p.log.String(), text) }

// The padder refills what is low, so that takes need not, in whichever way they are taken.
func TestATakeThatMakesTheRingLowWakesThePadder(t *testing.T) {
	for name, takes := range map[string]func(p padded){
		"one by one": func(p padded) { take(p.t, p, 5) },
		"a batch":    func(p padded) { p.take(5) },
		"a stream":   func(p padded) { takeAll(p.t, p.Stream(), 5) },
	} {
		t.Run(name, func(t *testing.T) {
			withPadder(t, func(*settings, *testLease) {}, func(p padded) {
				before := p.Stats().Refills
				takes(p) // and leaves some
				synctest.Wait()
				assert.Greater(t, p.Stats().Refills, before)
			})
		})
	}
}

// A load that asks for more than is granted waits each second, for ever.
func TestWaitsForTheLeaseAreNotLoggedEachSecond(t *testing.T) {
	withPadder(t, func(_ *settings, l *testLease) { l.hi = bubbleStart.Unix() + 1 }, func(p padded) {
		for range 300 { // five minutes
			p.take(8)
			time.Sleep(time.Second)
			p.lease.set(func() { p.lease.hi++ })
			synctest.Wait()
		}
		waits := p.lines("no new ids: waiting")
		assert.InDelta(t, waits, p.lines("ids can be made again"), 1)
		assert.GreaterOrEqual(t, waits, 4)
		assert.LessOrEqual(t, waits, 7)
	})
}

// A grant that ends, and goes on when that is noticed, as after a restart of the store, is no news
// while there are ids.
func TestAWaitForTheLeaseIsLoggedWhenItLasts(t *testing.T) {
	withPadder(t, func(_ *settings, l *testLease) { l.hi = bubbleStart.Unix() + 1 }, func(p padded) {
		p.sleep(3 * time.Second)
		take(p.t, p, 5)
		synctest.Wait()
		require.NotZero(t, p.used())
		p.lease.set(func() { p.lease.hi += 10 })
		synctest.Wait()
		assert.Zero(t, p.lines("ids can be made"), "nothing was said before")
		assert.Zero(t, p.lines("no new ids"))
		p.sleep(12 * time.Second)
		take(p.t, p, 5)
		p.sleep(time.Second)
		take(p.t, p, 1)
		synctest.Wait()
		assert.NotZero(t, p.used())
		assert.Equal(t, 1, p.lines("no new ids"))
	})
}

// A load that borrows ever more is worth one line, and the clock's catching up one more,
// whether or not anybody takes ids then.
func TestIdsFarAheadAreLoggedOnce(t *testing.T) {
	withPadder(t, func(*settings, *testLease) {}, func(p padded) {
		takeTicks := func(n int) {
			for range n {
				p.take(4)
			}
		}
		takeTicks(65) // up to 65 seconds ahead is a burst
		for range 2 {
			takeTicks(300)
			time.Sleep(4 * time.Minute)
			takeTicks(200) // the clock has yet to catch up with the first 300
			p.sleep(10 * time.Minute)
		}
		assert.Equal(t, 2, p.lines("ids are far ahead of the clock\" ahead=1m6s"), p.log)
		assert.Equal(t, 2, p.lines("the clock has caught up with the ids"), p.log)
		assert.Equal(t, 4, p.lines("\n"), p.log)
	})
}

// All that a lease of long ticks grants in advance is a burst, too.
func TestLongTicksAreFartherAhead(t *testing.T) {
	withPadder(t, func(c *settings, _ *testLease) { c.Layout.Unit = time.Minute }, func(p padded) {
		for range 4 {
			p.take(4)
		}
		assert.Empty(t, p.log.String(), "the fifth tick is next, in four minutes")
		p.take(4)
		assert.Contains(t, p.log.String(), "ahead=5m0s")
	})
}

// A clock that is set back by more than the bound allows stops the padder, which says why,
// once: at once where ids become far ahead then, and otherwise when the ring is empty. Being
// at the bound is no news.
func TestAClockThatWasSetBackIsLogged(t *testing.T) {
	for name, c := range map[string]struct {
		ahead  time.Duration // 0: no borrowing
		back   time.Duration
		line   string
		reason string
		lines  int // the last one: that it is over
	}{
		"may not borrow": {0, 20 * time.Second, "no new ids", // and that it is not fenced
			"as is allowed, 0s, as this worker id may not borrow; the clock was set back by about 20s: ", 3},
		"MaxAhead": {5 * time.Second, time.Hour, "set_back=1h0m0s may_borrow=true",
			"as is allowed, 5s; the clock was set back by about 1h0m0s: ", 2},
		"MaxAhead, and ids were far ahead": {10 * time.Minute, time.Hour, "no new ids",
			"as is allowed, 10m0s; the clock was set back by about 1h0m0s: ", 3},
	} {
		t.Run(name, func(t *testing.T) {
			var back atomic.Int64
			withPadder(t, func(pc *settings, _ *testLease) {
				pc.AllowRepeats, pc.MaxAhead, pc.MaxLag = c.ahead > 0, c.ahead, time.Second
				pc.Now = func() time.Time { return time.Now().Add(-time.Duration(back.Load())) }
			}, func(p padded) {
				empty := func() {
					for len(p.take(8)) > 0 {
					}
				}
				p.sleep(time.Minute)
				empty()
				err := p.Ready()
				require.ErrorIs(t, err, ErrAhead)
				assert.NotContains(t, err.Error(), "set back", "it was not")
				p.sleep(5 * time.Second)
				for _, by := range []time.Duration{0, c.back} {
					back.Store(int64(by))
					p.mint.grantChanged() // who sleeps does not look at the clock
					synctest.Wait()
				}
				p.sleep(time.Second)
				empty()
				err = p.Ready()
				require.ErrorIs(t, err, ErrAhead)
				assert.ErrorContains(t, err, c.reason+"the next ids can be made at 2000-01-01T00:01:")
				p.sleep(c.back + 10*time.Second)
				assert.NotEmpty(t, p.take(1))
				assert.Equal(t, 1, p.lines(c.line), p.log)
				assert.Equal(t, c.lines, p.lines("\n"), p.log)
			})
		})
	}
}

// It may be the clock that is wrong: nobody need wake the padder when it is set right.
func TestAClockBehindTheLayoutsEndMayBeSetRight(t *testing.T) {
	var wrong atomic.Bool
	withPadder(t, func(c *settings, _ *testLease) {
		wrong.Store(false)
		c.MaxLag = time.Second
		c.Now = func() time.Time {
			if wrong.Load() {
				return c.Layout.End()
			}
			return time.Now()
		}
	}, func(p padded) {
		p.sleep(3 * time.Second)
		wrong.Store(true)
		for range 3 {
			_, err := p.GetUID()
			require.ErrorIs(t, err, ErrTimeOver)
			synctest.Wait()
		}
		assert.Equal(t, 1, p.lines("no more ids can be made"), "said once")
		wrong.Store(false)
		p.sleep(maxSleep)
		assert.Equal(t, []int64{4, 4, 4, 4, 5, 5, 5, 5}, p.take(8))
		assert.Zero(t, p.Stats().RejectedPuts, "each tick fits")
	})
}

func TestARejectPutThatPanicsLosesNothing(t *testing.T) {
	withPadder(t, func(c *settings, _ *testLease) {
		c.Layout.SeqBits = 3 // all of the ring
		c.RejectPut = func(int64, time.Time) bool { panic("boom") }
	}, func(p padded) {
		for i := range int64(8) {
			for k, tick := range p.take(5) {
				assert.Equal(t, (5*i+int64(k))/8, tick)
			}
		}
		assert.Zero(t, p.Stats().Discarded, "the rest is kept")
		assert.Greater(t, p.Stats().Faults, int64(1), "it is asked again")
		assert.Contains(t, p.log.String(), "the rest of the tick is kept\" panic=boom")
	})
}

// While it blocks, the takes that find the ring empty refill it, and its answer is about ids
// that they have put.
func TestWhileARejectPutBlocksTakesHelpThemselves(t *testing.T) {
	var release chan struct{}
	withPadder(t, func(c *settings, _ *testLease) {
		c.Layout.SeqBits = 3
		release = make(chan struct{})
		first := true
		c.RejectPut = func(int64, time.Time) bool {
			if !first {
				return false
			}
			first = false
			<-release
			return true
		}
	}, func(p padded) {
		ticks := p.take(40)
		close(release)
		ticks = append(ticks, p.take(40)...)
		assert.Zero(t, p.Stats().Discarded)
		require.Len(t, ticks, 80)
		for i, tick := range ticks {
			require.EqualValues(t, i/8, tick)
		}
	})
}

// Baidu's padder refills until a put is rejected, and the rejected second is gone:
// quiet takes get the seconds 1 to 8, 10 to 13, 15 to 18 after its start.
func TestDiscardedTicksAreTheOriginals(t *testing.T) {
	var asked []time.Time
	withPadder(t, func(c *settings, _ *testLease) {
		c.RingSize = 31 // 32 slots of one
		c.RejectPut = func(left int64, tick time.Time) bool {
			asked = append(asked, tick)
			assert.EqualValues(t, 4, left)
			return policy.Discard(left, tick)
		}
	}, func(p padded) {
		require.Equal(t, []time.Time{bubbleStart.Add(8 * time.Second)}, asked)
		var got []int64
		for range 24 * 4 {
			got = append(got, p.take(1)...)
		}
		var want []int64
		for _, run := range [][2]int64{{0, 8}, {9, 13}, {14, 18}, {19, 23}, {24, 28}} {
			for tick := run[0]; tick < run[1]; tick++ {
				want = append(want, tick, tick, tick, tick)
			}
		}
		assert.Equal(t, want[:len(got)], got)
		assert.EqualValues(t, 7*4, p.Stats().Discarded, "one at the start and at each refill")
		assert.EqualValues(t, 7, p.Stats().RejectedPuts)
	})
}

// What is minted and not put was granted to the lease that a flush or another lease ends.
func TestTheLeftoverIsForgottenWithItsLease(t *testing.T) {
	for name, end := range map[string]func(padded){
		"flush": func(p padded) { p.flush() },
		"another lease": func(p padded) {
			last := p.mint.change(false, func() {})
			assert.Equal(t, bubbleStart.Unix(), last)
			p.take(8) // is as good as ever
		},
	} {
		t.Run(name, func(t *testing.T) {
			withPadder(t, func(c *settings, _ *testLease) { c.Layout.SeqBits = 4 },
				func(p padded) {
					end(p)
					synctest.Wait()
					assert.Equal(t, []int64{1, 1, 1, 1, 1, 1, 1, 1}, p.take(8), "not the rest of tick 0")
				})
		})
	}
}

func TestOldIdsAreDropped(t *testing.T) {
	withPadder(t, func(c *settings, _ *testLease) {
		c.Layout.SeqBits, c.MaxLag = 3, 10*time.Second
	}, func(p padded) {
		fill(p.CachedGenerator)
		p.take(4)                                 // then half of tick 1 is in the ring
		p.sleep(6*time.Second - time.Millisecond) // tick 0 ended at 1 s
		assert.Equal(t, 8, p.used())
		p.sleep(2 * time.Millisecond)
		assert.Zero(t, p.used(), "at half of MaxLag, so that a late padder keeps it")
		assert.Equal(t, []int64{6, 6, 6, 6, 6, 6, 6, 6}, p.take(8), "not what was left of tick 1")
		p.sleep(time.Hour)
		assert.Equal(t, []int64{3606, 3606, 3606, 3606}, p.take(4))
		s := p.Stats()
		assert.EqualValues(t, 8, s.Dropped)
		assert.EqualValues(t, 16, s.Taken)
	})
}

// What is minted is there to be taken, too, when the ring is empty and no more is granted.
func TestTheLeftoverIsThereInAnOutage(t *testing.T) {
	withPadder(t, func(c *settings, l *testLease) {
		c.Layout.SeqBits, c.MaxLag = 3, time.Second
		l.hi = bubbleStart.Unix() + 1
	}, func(p padded) {
		p.take(4) // then half of tick 1 is in the ring
		p.sleep(time.Hour)
		for p.used() > 0 {
			p.mint.ring.Take(ringbuffer.Attempt{}, 8) // and the padder does not wake up
		}
		assert.NoError(t, p.Ready())
		assert.Equal(t, []int64{1, 1, 1, 1}, p.take(8))
		assert.ErrorIs(t, p.Ready(), ErrGrantEnded)
	})
}

// A new lease may grant ticks that MaxAhead does not allow yet: until it does, there are no
// newer ids than the old ones.
func TestWhatMaxAheadCannotReplaceIsNotOld(t *testing.T) {
	withPadder(t, func(c *settings, _ *testLease) {
		c.MaxLag, c.MaxAhead = time.Second, 3*time.Second
	},
		func(p padded) {
			fill(p.CachedGenerator)
			p.lease.set(func() { p.lease.lo = bubbleStart.Unix() + 100 })
			p.sleep(time.Minute)
			assert.Equal(t, []int64{1, 1, 1, 1}, p.take(8), "tick 1 is newer than tick 0")
			assert.Empty(t, p.take(1))
			p.sleep(37 * time.Second)
			assert.Equal(t, []int64{100, 100, 100, 100}, p.take(4))
		})
}

// Where nothing may be borrowed the ring may never be full, and so never low either: the next
// slot that is used up after a drop asks for more.
func TestATakeAfterADropAsksForMore(t *testing.T) {
	withPadder(t, func(c *settings, _ *testLease) {
		c.RingSize, c.AllowRepeats, c.MaxLag = 31, false, 10*time.Second // eight ticks
	}, func(p padded) {
		fill(p.CachedGenerator)
		p.sleep(7*time.Second + time.Millisecond) // tick 1, the first, ended at 2 s
		require.Equal(t, 3*4, p.used(), "ticks 4 to 6 are left")
		p.take(1)
		assert.Equal(t, 4*4-1, p.used())
	})
}

// A lease is granted a minute at a time, say. The padder sees its end come, and fills the ring
// for the outage that this may be; when more is granted it sleeps again.
func TestAnIdlePadderFillsTheRingBeforeTheGrantEnds(t *testing.T) {
	withPadder(t, func(c *settings, l *testLease) {
		l.hi, c.MaxLag = bubbleStart.Unix()+99, time.Second
	}, func(p padded) {
		p.sleep(90 * time.Second)
		assert.Zero(t, p.used())
		p.sleep(time.Hour)
		assert.Equal(t, []int64{98, 98, 98, 98, 99, 99, 99, 99}, p.take(8))
		assert.Empty(t, p.take(1))
		p.lease.set(func() { p.lease.hi = bubbleStart.Unix() + 10_000 })
		synctest.Wait()
		assert.Zero(t, p.used(), "the outage is over")
		p.sleep(time.Minute)
		assert.Zero(t, p.used())
	})
}

// What was put before a panic in the middle of a refill counts: whoever took it was counted,
// too.
func TestAPanicInMidRefillCountsWhatWasPut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &brokenLease{testLease: granted(0, 1000)}
		g, err := newCached(t.Context(), l, ringConfig())
		require.NoError(t, err)
		defer g.Close()
		l.at.Store(bubbleStart.Unix() + 9) // the ring has eight
		ids, err := g.AppendUIDs(nil, 8*16)
		require.NoError(t, err)
		synctest.Wait()
		require.EqualValues(t, 1, g.Stats().Faults)
		assert.EqualValues(t, len(ids), g.Stats().Taken)
	})
}
