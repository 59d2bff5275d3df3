package padding

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The end of the layout's time is what a clock says that may be wrong.
func TestAnEndThatWasNoneIsNoticed(t *testing.T) {
	bench(t, func(m *fakeMint, _ *Config) { m.hi, m.end = start+1, errors.New("over") }, func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
		m.take(8)
		_, final := p.Waiting()
		require.True(t, final)
		m.set(func() { m.hi = math.MaxInt64 })
		time.Sleep(nap) // nobody wakes it
		assert.Len(t, m.take(8), 8)
	})
}

// An int has 32 bits on some platforms.
func TestTheLowWaterMarkOfALargeRing(t *testing.T) {
	assert.Equal(t, 32769, (&Padder{c: Config{Low: 32769, Slots: 65536}, goal: 65536}).low())
}

// Takers that empty the ring as fast as it is filled keep the padder awake: it
// must look at Close all the same.
func TestCloseEndsAPadderThatNeverRests(t *testing.T) {
	now := time.Unix(start, 0)
	m := &busyMint{}
	p := New(m, Config{
		IDs: 1, Run: 1, Slots: 1, Low: 1,
		Now:    func() time.Time { now = now.Add(time.Microsecond); return now },
		Tick:   func(t time.Time) int64 { return t.Unix() },
		Start:  func(tick int64) time.Time { return time.Unix(tick, 0) },
		MaxLag: -1,
		Logger: slog.New(slog.DiscardHandler),
	})
	m.wake.Store(p)
	p.Wake()
	assert.Eventually(t, func() bool { return m.arms.Load() > 100 }, time.Minute, time.Millisecond)
	p.Close()
}

// busyMint is a ring with room for one tick that is taken at once.
type busyMint struct {
	wake atomic.Pointer[Padder]
	arms atomic.Int64
	full atomic.Bool
}

func (m *busyMint) Grant() Grant                       { return Grant{Lo: math.MinInt64, Hi: math.MaxInt64} }
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
	bench(t, func(m *fakeMint, _ *Config) { m.lo, m.hi = 0, -1 }, func(_ *fakeMint, p *Padder, _ *bytes.Buffer) {
		err, final := p.Waiting()
		require.ErrorIs(t, err, errGrantEnded)
		assert.NotContains(t, err.Error(), "1970", "no tick ends then")
		assert.False(t, final)
	})
}

// A load that asks for more than is granted waits each second, for ever.
func TestWaitsForTheLeaseAreNotLoggedEachSecond(t *testing.T) {
	bench(t, func(m *fakeMint, _ *Config) { m.hi = start + 1 }, func(m *fakeMint, p *Padder, log *bytes.Buffer) {
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
