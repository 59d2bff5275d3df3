package storeclock

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/clock"
)

// machine is one whose clocks a test sets.
type machine struct {
	wall time.Time
	mono time.Duration
}

func (m *machine) clock() *Clock {
	return New(clock.Clock{Wall: func() time.Time { return m.wall },
		Mono: func() time.Duration { return m.mono }})
}

func (m *machine) pass(d time.Duration) { m.wall, m.mono = m.wall.Add(d), m.mono+d }

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func TestAMachineThatIsRightGoesByItsClock(t *testing.T) {
	m := &machine{wall: noon.Add(300 * time.Millisecond), mono: time.Hour}
	c := m.clock()
	_, err := c.Now()
	require.Error(t, err)
	sent := c.Mono()
	m.pass(10 * time.Millisecond)
	c.Read(sent, noon, time.Second)
	for range 100 {
		now, err := c.Now()
		require.NoError(t, err)
		assert.Equal(t, m.wall, now.UTC())
		m.pass(time.Minute)
	}
}

func TestAClockThatIsAheadOrBehindIsNotBelieved(t *testing.T) {
	for _, off := range []time.Duration{time.Hour, -time.Hour, 10 * 365 * 24 * time.Hour} {
		m := &machine{wall: noon.Add(off), mono: time.Hour}
		c := m.clock()
		c.Read(c.Mono(), noon, time.Second)
		m.pass(time.Minute)
		now, err := c.Now()
		require.NoError(t, err)
		assert.WithinRange(t, now, noon.Add(time.Minute), noon.Add(time.Minute+time.Second), "%v", off)
		m.wall = noon.Add(off * 2) // it jumps
		now, _ = c.Now()
		assert.WithinRange(t, now, noon.Add(time.Minute), noon.Add(time.Minute+time.Second), "%v", off)
	}
}

func TestReadingsNarrowTheBounds(t *testing.T) {
	m := &machine{wall: noon.Add(time.Hour)}
	m.mono = 700 * time.Millisecond
	c := m.clock()
	c.Read(c.Mono(), noon, time.Second) // the truth is noon and 0.7 s
	m.pass(400 * time.Millisecond)
	c.Read(c.Mono(), noon.Add(time.Second), time.Second) // now and 1.1 s
	now, _ := c.Now()
	assert.WithinRange(t, now, noon.Add(time.Second), noon.Add(1400*time.Millisecond))
}

// Another server leads, whose clock is another one.
func TestAReadingThatContradictsIsBelieved(t *testing.T) {
	m := &machine{wall: noon}
	c := m.clock()
	c.Read(c.Mono(), noon, time.Millisecond)
	m.pass(time.Second)
	c.Read(c.Mono(), noon.Add(-time.Minute), time.Millisecond)
	now, _ := c.Now()
	assert.WithinRange(t, now, noon.Add(-time.Minute), noon.Add(-time.Minute+time.Millisecond))
}

func TestWhenItIsDue(t *testing.T) {
	m := &machine{wall: noon, mono: time.Hour}
	c := m.clock()
	assert.True(t, c.Due())
	assert.False(t, c.Due(), "somebody is about it")
	m.pass(every)
	assert.True(t, c.Due())
	c.Expire()
	assert.True(t, c.Due())
	m.pass(every)
	c.Read(c.Mono(), noon, time.Second)
	assert.False(t, c.Due(), "a reading that came by itself")
}

// While a machine sleeps, its monotonic clock may stand still: then the bounds are too low.
func TestAMachineThatSleptAsksAgain(t *testing.T) {
	m := &machine{wall: noon, mono: time.Hour}
	c := m.clock()
	require.True(t, c.Due())
	c.Read(c.Mono(), noon, time.Second)
	m.pass(time.Second)
	m.wall = m.wall.Add(doubtful / 2)
	require.False(t, c.Due(), "a step of a moment")
	m.wall = noon.Add(time.Minute)
	require.True(t, c.Due())
	require.False(t, c.Due(), "somebody is about it")
	c.Read(c.Mono(), m.wall, time.Second)
	now, err := c.Now()
	require.NoError(t, err)
	assert.Equal(t, m.wall, now.UTC())
	assert.False(t, c.Due())
}

// Who comes second waits for the first answer, and nobody for a later one.
func TestTheFirstAnswerIsWaitedFor(t *testing.T) {
	for name, answer := range map[string]func(*Clock){
		"a reading": func(c *Clock) { c.Read(c.Mono(), noon, time.Second) },
		"a failure": func(c *Clock) { c.Failed(errors.New("refused")) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := New(clock.Real())
				require.True(t, c.Due())
				short, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				c.Wait(short)
				require.Error(t, short.Err(), "until its context ends")
				waited := make(chan struct{})
				go func() {
					c.Wait(t.Context())
					close(waited)
				}()
				synctest.Wait()
				select {
				case <-waited:
					require.Fail(t, "there was no answer")
				default:
				}
				answer(c)
				<-waited
				c.Expire()
				require.True(t, c.Due())
				c.Wait(t.Context())
			})
		})
	}
}

func TestWhyItIsNotKnown(t *testing.T) {
	m := &machine{wall: noon}
	c := m.clock()
	reason := errors.New("refused")
	c.Failed(reason)
	now, err := c.Now()
	assert.Equal(t, noon, now)
	assert.ErrorIs(t, err, reason)
	c.Read(c.Mono(), noon, time.Second)
	c.Failed(reason)
	_, err = c.Now()
	assert.NoError(t, err, "an older reading stands")
}
