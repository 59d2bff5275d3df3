package padding

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The end of the layout's time is what a clock says that may be wrong.
func TestAnEndThatWasNoneIsNoticed(t *testing.T) {
	bench(t, func(m *fakeMint, _ *Config) { m.hi, m.end = start+1, errors.New("over") },
		func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
			m.take(8)
			_, final := p.Waiting()
			require.True(t, final)
			m.set(func() { m.hi = math.MaxInt64 })
			time.Sleep(nap) // nobody wakes it
			assert.Len(t, m.take(8), 8)
		})
}

// Takers that empty the ring as fast as it is filled keep the padder awake: it
// must look at Close all the same, or the bubble never ends.
func TestCloseEndsAPadderThatNeverRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &busyMint{}
		p := New(m, Config{
			IDs: 1, Run: 1, Slots: 1, Low: 1,
			Now:    time.Now,
			Tick:   func(t time.Time) int64 { return t.Unix() },
			Start:  func(tick int64) time.Time { return time.Unix(tick, 0) },
			MaxLag: -1,
			Logger: slog.New(slog.DiscardHandler),
		})
		m.wake.Store(p)
		p.Wake()
		for m.arms.Load() < 100 {
			runtime.Gosched()
		}
		p.Close()
	})
}

// busyMint is a ring with room for one tick that is taken at once.
type busyMint struct {
	wake atomic.Pointer[Padder]
	arms atomic.Int64
	full atomic.Bool
}

func (m *busyMint) Grant() Grant {
	return Grant{Lo: math.MinInt64,
		Hi: math.MaxInt64}
}
func (m *busyMint) Want(int64)                         {}
func (m *busyMint) Put(int64, int64, int64, int) int64 { m.full.Store(true); return 1 }
func (m *busyMint) Skip(int64) int64                   { return 0 }
func (m *busyMint) Expire(int64)                       {}
func (m *busyMint) Oldest() (int64, bool)              { return 0, false }

func (m *busyMint) Used() int {
	if m.full.Load() {
		return 1
	}
	return 0
}

func (m *busyMint) Left() int64 { return int64(m.Used()) }

func (m *busyMint) Arm(int) bool {
	m.arms.Add(1)
	if p := m.wake.Load(); p != nil {
		m.full.Store(false)
		p.Wake()
	}
	return true
}

// A log handler may take an id for its line, and then looks at the padder.
func TestTheLogIsWrittenOutsideOfTheCriticalSection(t *testing.T) {
	var p *Padder
	var lines int
	look := func() {
		lines++
		if p != nil {
			p.Stats()
			p.Waiting()
		}
	}
	bench(t, func(m *fakeMint, c *Config) {
		m.hi = start + 1
		c.Logger = slog.New(lookingHandler{look})
	}, func(m *fakeMint, padder *Padder, _ *bytes.Buffer) {
		synctest.Wait()
		p = padder
		m.take(8)
		m.set(func() { m.hi++; m.panics = 1 })
		p.Wake()
		synctest.Wait()
		assert.Equal(t, 3, lines, "it waits, it goes on, and what panicked")
	})
}

// lookingHandler does something at each line.
type lookingHandler struct{ look func() }

func (h lookingHandler) Enabled(context.Context, slog.Level) bool { return true }
func (h lookingHandler) WithAttrs([]slog.Attr) slog.Handler       { return h }
func (h lookingHandler) WithGroup(string) slog.Handler            { return h }

func (h lookingHandler) Handle(context.Context, slog.Record) error {
	h.look()
	return nil
}

func TestAGrantOfNothingNamesNoTime(t *testing.T) {
	bench(t, func(m *fakeMint, _ *Config) { m.lo, m.hi = 0, -1 },
		func(_ *fakeMint, p *Padder, _ *bytes.Buffer) {
			err, final := p.Waiting()
			require.ErrorIs(t, err, errGrantEnded)
			assert.NotContains(t, err.Error(), "1970", "no tick ends then")
			assert.False(t, final)
		})
}

// A load that asks for more than is granted waits each second, for ever.
func TestWaitsForTheLeaseAreNotLoggedEachSecond(t *testing.T) {
	bench(t, func(m *fakeMint, _ *Config) { m.hi = start + 1 },
		func(m *fakeMint, p *Padder, log *bytes.Buffer) {
			for range 300 { // five minutes
				m.take(8)
				time.Sleep(time.Second)
				m.set(func() { m.hi++ })
				p.Wake()
				synctest.Wait()
			}
			waits := bytes.Count(log.Bytes(), []byte("minting paused: waiting"))
			assert.InDelta(t, waits, bytes.Count(log.Bytes(), []byte("minting resumed")), 1)
			assert.GreaterOrEqual(t, waits, 4)
			assert.LessOrEqual(t, waits, 7)
		})
}

// lines counts those lines of a log that have this text.
func lines(log *bytes.Buffer, text string) int { return strings.Count(log.String(), text) }

// A load that borrows ever more is worth one line, and the clock's catching up one more,
// whether or not anybody takes ids then.
func TestIdsFarAheadAreToldOnce(t *testing.T) {
	bench(t, func(_ *fakeMint, c *Config) { c.MaxLag = time.Second },
		func(m *fakeMint, p *Padder, log *bytes.Buffer) {
			takeTicks := func(n int) {
				for range n {
					m.take(4)
				}
			}
			takeTicks(65) // up to 65 seconds ahead is a burst
			for range 2 {
				takeTicks(300)
				time.Sleep(4 * time.Minute)
				takeTicks(200) // the clock has yet to catch up with the first 300
				time.Sleep(10 * time.Minute)
			}
			synctest.Wait()
			assert.Equal(t, `time=2000-01-01T00:00:00.000Z level=WARN msg="ids are far ahead of the clock" ahead=1m6s until=2000-01-01T00:01:06.000Z set_back=0s may_borrow=true
time=2000-01-01T00:09:25.000Z level=INFO msg="the clock has caught up with the ids"
time=2000-01-01T00:14:00.000Z level=WARN msg="ids are far ahead of the clock" ahead=1m6s until=2000-01-01T00:15:06.000Z set_back=0s may_borrow=true
time=2000-01-01T00:22:20.000Z level=INFO msg="the clock has caught up with the ids"
`, log.String())
		})
}

// All that a lease of long ticks grants in advance is a burst, too.
func TestLongTicksAreFartherAhead(t *testing.T) {
	bench(t, func(m *fakeMint, c *Config) {
		c.Tick = func(t time.Time) int64 { return t.Unix() / 60 }
		c.Start = func(tick int64) time.Time { return time.Unix(60*tick, 0).UTC() }
	}, func(m *fakeMint, p *Padder, log *bytes.Buffer) {
		for range 4 {
			m.take(4)
		}
		assert.Empty(t, log.String(), "the fifth tick is next, in four minutes")
		m.take(4)
		assert.Contains(t, log.String(), "ahead=5m0s")
	})
}

// A clock that is set back by more than the bound allows stops the padder, which says why,
// once: at once where ids are far ahead then, and otherwise when the ring is empty.
func TestAClockThatWasSetBackIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		ahead  time.Duration // 0: no borrowing
		back   time.Duration
		line   string
		reason string
	}{
		"may not borrow": {0, 20 * time.Second, "minting paused",
			"too far ahead, 0s, as this worker id may not borrow; the clock was set back by about 20s: "},
		"MaxAhead": {5 * time.Second, 20 * time.Second, "minting paused",
			"too far ahead, 5s; the clock was set back by about 20s: "},
		"may not borrow, long": {0, time.Hour, "set_back=1h0m0s may_borrow=false",
			"; the clock was set back by about 1h0m0s: "},
		"MaxAhead, long": {5 * time.Second, time.Hour, "set_back=1h0m0s may_borrow=true",
			"; the clock was set back by about 1h0m0s: "},
	} {
		t.Run(name, func(t *testing.T) {
			var back atomic.Int64
			bench(t, func(m *fakeMint, pc *Config) {
				m.noBorrow, pc.MaxAhead, pc.MaxLag = c.ahead == 0, c.ahead, time.Second
				pc.Now = func() time.Time { return time.Now().Add(-time.Duration(back.Load())) }
			}, func(m *fakeMint, p *Padder, log *bytes.Buffer) {
				empty := func() {
					for len(m.take(8)) > 0 {
					}
				}
				time.Sleep(time.Minute)
				empty()
				err, _ := p.Waiting()
				require.ErrorIs(t, err, errAhead)
				assert.NotContains(t, err.Error(), "set back", "it was not")
				time.Sleep(5 * time.Second)
				synctest.Wait()
				back.Store(int64(c.back))
				time.Sleep(time.Second)
				empty()
				err, final := p.Waiting()
				require.ErrorIs(t, err, errAhead)
				assert.ErrorContains(t, err, c.reason+"the next tick may be minted at 2000-01-01T00:01:")
				assert.False(t, final)
				time.Sleep(c.back + 10*time.Second)
				assert.NotEmpty(t, m.take(1))
				assert.Equal(t, 1, lines(log, c.line), log)
				assert.Equal(t, 2, lines(log, "\n"), "that, and that it is over: %s", log)
			})
		})
	}
}
