package padding

import (
	"bytes"
	"errors"
	"log/slog"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// id is one id of a tick in the ring of a fakeMint.
type id struct{ tick, seq int64 }

// fakeMint is a ring of ids without any cleverness, and a grant.
type fakeMint struct {
	mu       sync.Mutex
	size     int
	perTick  int64
	run      int64  // ticks that are minted at once
	perSlot  int64  // ids
	ring     [][]id // by slots
	lo, hi   int64
	noBorrow bool
	end      error
	wanted   int64
	expired  int64
	low      int // Wake when fewer are left; 0: not armed
	wake     func()
	help     func() int64
	busy     atomic.Bool // all ids are taken whenever it is armed
	panics   int         // how many Puts panic
	panicsAt int64       // counted from start, the tick that panics when it is wanted, once; 0: none
}

func (m *fakeMint) Grant() (lo, hi int64, end error, noBorrow bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.lo, m.hi, m.end, m.noBorrow
}

func (m *fakeMint) Ungranted() error { return errGrantEnded }

func (m *fakeMint) Want(tick int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wanted = tick
	if m.panicsAt > 0 && tick == start+m.panicsAt {
		m.panicsAt = 0
		panic("foreign code")
	}
}

func (m *fakeMint) Put(tick, from, n int64) (put int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.panics > 0 {
		m.panics--
		panic("foreign code")
	}
	for put < n && len(m.ring) < m.size {
		var slot []id
		for ; put < n && int64(len(slot)) < m.perSlot; put++ {
			slot = append(slot, id{tick + (from+put)/m.perTick, (from + put) % m.perTick})
		}
		m.ring = append(m.ring, slot)
	}
	return put
}

func (m *fakeMint) Drop(before int64) (dropped int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expired = max(m.expired, before)
	for ids := m.takeFirst(math.MaxInt, before); len(ids) > 0; ids = m.takeFirst(math.MaxInt, before) {
		dropped += int64(len(ids))
	}
	return dropped
}

// takeFirst takes up to n ids of ticks before this one out of the first slot.
func (m *fakeMint) takeFirst(n int, before int64) (ids []id) {
	if len(m.ring) == 0 {
		return nil
	}
	first := &m.ring[0]
	for ; len(*first) > 0 && len(ids) < n && (*first)[0].tick < before; *first = (*first)[1:] {
		ids = append(ids, (*first)[0])
	}
	if len(*first) == 0 {
		m.ring = m.ring[1:]
	}
	return ids
}

func (m *fakeMint) flush() int64 { return m.Drop(math.MaxInt64) }

func (m *fakeMint) Oldest() (int64, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.ring) == 0 {
		return 0, false
	}
	return m.ring[0][0].tick, true
}

func (m *fakeMint) Used() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.ring)
}

func (m *fakeMint) Left() (left int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, slot := range m.ring {
		left += int64(len(slot))
	}
	return left
}

func (m *fakeMint) full() bool { return m.Used() == m.size }

func (m *fakeMint) Arm(slots int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.busy.Load() {
		m.ring = nil
		m.wake()
	}
	m.low = slots
	if len(m.ring) < m.low {
		m.low = 0
	}
	return m.low > 0
}

// take takes n ids, as many goroutines might, and lets the padder do its work.
func (m *fakeMint) take(n int) (ids []id) {
	synctest.Wait()
	if m.Used() == 0 {
		m.help()
	}
	m.mu.Lock()
	for len(ids) < n && len(m.ring) > 0 {
		ids = append(ids, m.takeFirst(n-len(ids), math.MaxInt64)...)
	}
	low := len(m.ring) < m.low
	if low {
		m.low = 0
	}
	empty := len(m.ring) == 0
	m.mu.Unlock()
	if low || empty { // as the first take does that waits
		m.wake()
	}
	synctest.Wait()
	return ids
}

func (m *fakeMint) set(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
}

// start is the tick of the bubble's first instant.
var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()

var errAhead, errGrantEnded = errors.New("too far ahead"), errors.New("no tick granted")

// bench runs a test in a bubble, with a padder of seconds over a ring of 8 slots of one
// id, 4 to a second unless the test changes it.
func bench(t *testing.T, change func(*fakeMint, *Config),
	test func(*fakeMint, *Padder, *bytes.Buffer)) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		m := &fakeMint{size: 8, perTick: 4, perSlot: 1, run: 1, lo: math.MinInt64, hi: math.MaxInt64}
		c := Config{
			Now:    time.Now,
			Tick:   func(t time.Time) int64 { return t.Unix() },
			Start:  func(tick int64) time.Time { return time.Unix(tick, 0).UTC() },
			MaxLag: -1,
			Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: inUTC})),

			ErrAhead: errAhead,
		}
		change(m, &c)
		c.IDs, c.Run, c.Slots, c.Low = m.perTick, m.run, m.size, m.size/2+1
		var p *Padder
		m.wake, m.help = func() { p.Wake() }, func() int64 { return p.Help() }
		p = New(m, c)
		defer p.Close()
		test(m, p, &log)
	})
}

// inUTC is for lines that are the same wherever they are written.
func inUTC(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindTime {
		a.Value = slog.TimeValue(a.Value.Time().UTC())
	}
	return a
}

func nothing(*fakeMint, *Config) {}

func ticks(ids []id) (t []int64) {
	for _, i := range ids {
		t = append(t, i.tick-start)
	}
	return t
}

func TestNextTickIsMaxOfLastAndNow(t *testing.T) {
	bench(t, nothing, func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
		m.take(8)
		assert.Equal(t, []int64{2, 2, 2, 2, 3, 3, 3, 3}, ticks(m.take(8)), "busy: ahead of the clock")
		time.Sleep(100 * time.Second)
		assert.Equal(t, []int64{4, 4, 4, 4, 5, 5, 5, 5}, ticks(m.take(8)), "were put before")
		assert.Equal(t, []int64{100, 100, 100, 100}, ticks(m.take(4)), "idle: the clock again")
		assert.Equal(t, start+102, p.last)
	})
}

func TestARejectPutThatPanicsLosesNothing(t *testing.T) {
	bench(t, func(m *fakeMint, c *Config) {
		m.perTick = 5
		c.RejectPut = func(int64, int64) bool { panic("boom") }
	}, func(m *fakeMint, p *Padder, log *bytes.Buffer) {
		synctest.Wait()
		for range 8 {
			assert.Len(t, m.take(5), 5)
		}
		assert.Zero(t, p.Stats().Discarded, "the rest is kept")
		assert.Greater(t, p.Stats().Faults, int64(1), "it is asked again")
		assert.Contains(t, log.String(), "boom")
	})
}

// While it blocks, the takes that find the ring empty refill it, as those of package uid
// do, and its answer is about a rest that they have put.
func TestWhileARejectPutBlocksTakesHelpThemselves(t *testing.T) {
	var release chan struct{}
	bench(t, func(m *fakeMint, c *Config) {
		m.perTick = 5
		release = make(chan struct{})
		first := true
		c.RejectPut = func(int64, int64) bool {
			if !first {
				return false
			}
			first = false
			<-release
			return true
		}
	}, func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
		var all []id
		for range 5 {
			all = append(all, m.take(8)...)
			assert.Positive(t, p.Help())
		}
		close(release)
		for range 5 {
			all = append(all, m.take(8)...)
		}
		assert.Zero(t, p.Stats().Discarded)
		require.Len(t, all, 80)
		for i, got := range all {
			require.Equal(t, id{start + int64(i)/5, int64(i) % 5}, got)
		}
	})
}

func TestMaxAheadHoldsThePadderBack(t *testing.T) {
	bench(t, func(_ *fakeMint, c *Config) { c.MaxAhead = 3 * time.Second },
		func(m *fakeMint, p *Padder, log *bytes.Buffer) {
			assert.Equal(t, []int64{0, 0, 0, 0, 1, 1, 1, 1}, ticks(m.take(8)))
			assert.Equal(t, []int64{2, 2, 2, 2, 3, 3, 3, 3}, ticks(m.take(8)))
			assert.Empty(t, m.take(8), "tick 4 begins more than 3 s from now")
			err, final := p.Waiting()
			require.ErrorIs(t, err, errAhead)
			assert.ErrorContains(t, err, "2000-01-01T00:00:01Z")
			assert.False(t, final)

			time.Sleep(time.Second) // nobody wakes it: it kept its wake-up
			assert.Equal(t, []int64{4, 4, 4, 4}, ticks(m.take(8)))
			assert.Empty(t, log.String(), "being at the bound is no news")
		})
}

func TestOnlyGrantedTicksAreMinted(t *testing.T) {
	bench(t, func(m *fakeMint, _ *Config) { m.lo, m.hi = start+100, start+102 },
		func(m *fakeMint, p *Padder, log *bytes.Buffer) {
			assert.Equal(t, []int64{100, 100, 100, 100, 101, 101, 101, 101}, ticks(m.take(8)),
				"not before lo")
			assert.Equal(t, []int64{102, 102, 102, 102}, ticks(m.take(8)))
			assert.Empty(t, m.take(8))
			err, final := p.Waiting()
			assert.ErrorIs(t, err, errGrantEnded)
			assert.False(t, final)
			m.set(func() { assert.Equal(t, start+103, m.wanted, "it asked for what it lacks") })

			time.Sleep(time.Hour)
			assert.Empty(t, m.take(1), "time alone grants nothing")
			m.set(func() { m.hi = start + 110 })
			p.Wake() // as the generator does when the grant moved
			assert.Empty(t, m.take(1), "nothing above hi, whatever the clock says")
			m.set(func() { m.hi = start + 4000 })
			p.Wake()
			assert.Equal(t, []int64{3600, 3600}, ticks(m.take(2)))
			assert.Equal(t, 2, strings.Count(log.String(), "minting"),
				"one line when it stopped, one when it went on: %s", log)
		})
}

func TestAFinalGrantEndsWithItsReason(t *testing.T) {
	over := errors.New("over")
	bench(t, func(m *fakeMint, _ *Config) { m.hi, m.end = start+2, over },
		func(m *fakeMint, p *Padder, log *bytes.Buffer) {
			_, final := p.Waiting()
			assert.False(t, final, "there is still a tick to mint")
			m.take(8)
			assert.Len(t, m.take(8), 4, "what was granted is handed out")
			err, final := p.Waiting()
			assert.ErrorIs(t, err, over)
			assert.True(t, final)
			p.Wake()
			synctest.Wait()
			assert.Equal(t, 1, strings.Count(log.String(), "no more ids"), "said once")

			m.set(func() { m.hi = math.MaxInt64 }) // it was the clock that was wrong
			time.Sleep(nap)                        // nobody wakes it
			assert.Len(t, m.take(8), 8)
		})
}

func TestOldIdsAreDropped(t *testing.T) {
	bench(t, func(m *fakeMint, c *Config) { m.perTick = 6; c.MaxLag = 10 * time.Second },
		func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
			time.Sleep(6*time.Second - time.Millisecond) // tick 0 ended at 1 s
			synctest.Wait()
			assert.Equal(t, 8, m.Used())
			time.Sleep(2 * time.Millisecond)
			synctest.Wait()
			assert.Zero(t, m.Used(), "at half of MaxLag, so that a late padder keeps it")
			assert.Equal(t, []int64{1, 1, 1, 1, 6, 6, 6, 6}, ticks(m.take(8)),
				"what was left of tick 1 is not old yet")
			time.Sleep(time.Hour)
			synctest.Wait()
			assert.Equal(t, []int64{3606, 3606, 3606, 3606}, ticks(m.take(4)))
			m.set(func() { assert.Greater(t, m.expired, start+7, "what streams hold is dropped, too") })
			s := p.Stats()
			assert.EqualValues(t, 8+8, s.Dropped)
			assert.EqualValues(t, 12, s.Taken)
		})
}

// A new lease may grant ticks that MaxAhead does not allow yet: until it does, there are no
// newer ids than the old ones.
func TestWhatMaxAheadCannotReplaceIsNotOld(t *testing.T) {
	bench(t, func(_ *fakeMint, c *Config) { c.MaxLag, c.MaxAhead = time.Second, 3*time.Second },
		func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
			m.set(func() { m.lo = start + 100 })
			time.Sleep(time.Minute)
			synctest.Wait()
			assert.Equal(t, []int64{1, 1, 1, 1}, ticks(m.take(8)), "tick 1 is newer than tick 0")
			assert.Empty(t, m.take(1))
			time.Sleep(37 * time.Second)
			assert.Equal(t, []int64{100, 100, 100, 100}, ticks(m.take(8)))
		})
}

// Where nothing may be borrowed the ring may never be full, and so never low either: the next
// slot that is used up after a drop asks for more.
func TestATakeAfterADropAsksForMore(t *testing.T) {
	bench(t, func(m *fakeMint, c *Config) { m.size, m.noBorrow, c.MaxLag = 40, true, 10*time.Second },
		func(m *fakeMint, _ *Padder, _ *bytes.Buffer) {
			time.Sleep(6*time.Second + time.Millisecond)
			synctest.Wait()
			assert.Equal(t, 3*4, m.Used(), "ticks 3 to 5 are left")
			m.take(1)
			assert.Equal(t, 4*4-1, m.Used())
		})
}

// A lease is granted a minute at a time, say. The padder sees its end come, and fills the ring
// for the outage that this may be; when more is granted it sleeps again.
func TestAnIdlePadderFillsTheRingBeforeTheGrantEnds(t *testing.T) {
	bench(t, func(m *fakeMint, c *Config) { m.hi, c.MaxLag = start+99, time.Second },
		func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
			time.Sleep(90 * time.Second)
			synctest.Wait()
			assert.Zero(t, m.Used())
			time.Sleep(time.Hour)
			synctest.Wait()
			assert.Equal(t, []int64{98, 98, 98, 98, 99, 99, 99, 99}, ticks(m.take(8)))
			assert.Empty(t, m.take(1))
			m.set(func() { m.hi = start + 10_000 })
			p.Wake()
			time.Sleep(time.Minute)
			synctest.Wait()
			assert.Zero(t, m.Used())
		})
}

// Baidu's padder refills until a put is rejected, and the rejected second is gone:
// quiet takes get the seconds 1 to 8, 10 to 13, 15 to 18 after its start.
func TestDiscardedTicksAreTheOriginals(t *testing.T) {
	discard := func(int64, int64) bool { return true }
	bench(t, func(m *fakeMint, c *Config) { m.size, c.RejectPut = 8*4, discard },
		func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
			var got []int64
			for range 24 * 4 {
				got = append(got, ticks(m.take(1))...)
			}
			var want []int64
			for _, run := range [][2]int64{{0, 8}, {9, 13}, {14, 18}, {19, 23}, {24, 28}} {
				for tick := run[0]; tick < run[1]; tick++ {
					want = append(want, tick, tick, tick, tick)
				}
			}
			assert.Equal(t, want[:len(got)], got)
			assert.EqualValues(t, 7*4, p.Stats().Discarded, "one at the start and at each refill")
		})
}

func TestTheScheduleTopsUpTheRing(t *testing.T) {
	bench(t, func(_ *fakeMint, c *Config) { c.Schedule = time.Minute },
		func(m *fakeMint, _ *Padder, _ *bytes.Buffer) {
			m.take(3) // not low
			assert.False(t, m.full())
			time.Sleep(time.Minute)
			synctest.Wait()
			assert.True(t, m.full())
		})
}

func TestWakeUpsDoNotPileUp(t *testing.T) {
	bench(t, nothing, func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
		for range 1_000_000 {
			p.Wake() // Baidu's queued a task for each
		}
		assert.LessOrEqual(t, len(p.wake), 1)
		synctest.Wait()
		assert.EqualValues(t, 1, p.Stats().Refills, "the ring was full")
	})
}

// In the original, a provider that throws leaves "running" set for good.
func TestAPanicOfTheMintIsNotTheEnd(t *testing.T) {
	bench(t, nothing, func(m *fakeMint, p *Padder, log *bytes.Buffer) {
		m.set(func() { m.panics = 1 })
		m.take(8)
		assert.EqualValues(t, 1, p.Stats().Faults)
		time.Sleep(nap)
		synctest.Wait()
		assert.Equal(t, []int64{3, 3, 3, 3, 4, 4, 4, 4}, ticks(m.take(8)),
			"tick 2 may have been put in part and is not minted again")
		assert.Contains(t, log.String(), "foreign code")
	})
}

// What was put before the panic counts: whoever took it was counted, too.
func TestAPanicInMidRefillCountsWhatWasPut(t *testing.T) {
	bench(t, nothing, func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
		m.set(func() { m.panicsAt = 3 })
		taken := func() int64 { return p.Stats().Taken }
		m.take(8)
		require.EqualValues(t, 1, p.Stats().Faults)
		assert.EqualValues(t, 8, taken())
		assert.EqualValues(t, 4, p.Stats().Left, "those of tick 2")
		assert.Len(t, m.take(8), 4)
		assert.EqualValues(t, 12, taken())
	})
}

// A Mint whose flush panics, before somebody who recovers, leaves the padder at work.
func TestAPanicInResetIsNotTheEnd(t *testing.T) {
	bench(t, nothing, func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
		assert.Panics(t, func() { p.Reset(func() int64 { panic("foreign code") }) })
		m.take(8)
		assert.Len(t, m.take(8), 8)
	})
}

func TestResetForgetsTheRestAndTheLastTickStays(t *testing.T) {
	bench(t, func(m *fakeMint, _ *Config) { m.perTick = 5 },
		func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
			p.Reset(m.flush)
			synctest.Wait()
			assert.Equal(t, []int64{2, 2, 2, 2, 2, 3, 3, 3}, ticks(m.take(8)))
			assert.EqualValues(t, 8, p.Stats().Dropped, "the rest of tick 1 was never put")
		})
}
