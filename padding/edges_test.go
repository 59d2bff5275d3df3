package padding

import (
	"bytes"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Takers that empty the ring as fast as it is filled keep the padder awake: it
// must look at Close all the same, or the bubble never ends.
func TestCloseEndsAPadderThatNeverRests(t *testing.T) {
	bench(t, nothing, func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
		m.busy.Store(true)
		p.Wake()
		for p.Stats().Refills < 100 {
			runtime.Gosched()
		}
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
// once: at once where ids become far ahead then, and otherwise when the ring is empty.
func TestAClockThatWasSetBackIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		ahead  time.Duration // 0: no borrowing
		back   time.Duration
		line   string
		reason string
		lines  int // the last one: that it is over
	}{
		"may not borrow": {0, 20 * time.Second, "minting paused",
			"too far ahead, 0s, as this worker id may not borrow; the clock was set back by about 20s: ", 2},
		"MaxAhead": {5 * time.Second, time.Hour, "set_back=1h0m0s may_borrow=true",
			"too far ahead, 5s; the clock was set back by about 1h0m0s: ", 2},
		"MaxAhead, and ids were far ahead": {10 * time.Minute, time.Hour, "minting paused",
			"too far ahead, 10m0s; the clock was set back by about 1h0m0s: ", 3},
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
				for _, by := range []time.Duration{0, c.back} {
					back.Store(int64(by))
					p.Wake() // who sleeps does not look at the clock
					synctest.Wait()
				}
				time.Sleep(time.Second)
				empty()
				err, final := p.Waiting()
				require.ErrorIs(t, err, errAhead)
				assert.ErrorContains(t, err, c.reason+"the next tick may be minted at 2000-01-01T00:01:")
				assert.False(t, final)
				time.Sleep(c.back + 10*time.Second)
				assert.NotEmpty(t, m.take(1))
				assert.Equal(t, 1, lines(log, c.line), log)
				assert.Equal(t, c.lines, lines(log, "\n"), log)
			})
		})
	}
}
