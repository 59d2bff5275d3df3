package textstore

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker/store"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// A server that shows whole seconds is asked now and then. What is known of its time is never
// too late, and after many answers hardly too early.
func TestReadings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now, at := noon, time.Hour
		var r Reading
		pass := func(most time.Duration) {
			d := time.Duration(rapid.Int64Range(0, int64(most)).Draw(t, "passes"))
			now, at = now.Add(d), at+d
		}
		for range 300 {
			pass(10 * time.Second)
			shown := now.Truncate(time.Second)
			pass(20 * time.Millisecond) // the answer is on its way
			r = r.Next(shown, time.Second, at)
			require.False(t, r.Now.After(now), "%v is later than %v", r.Now, now)
			require.False(t, r.Now.Before(shown))
			require.Equal(t, at, r.At)
		}
		if off := now.Sub(r.Now); off > 300*time.Millisecond {
			t.Fatalf("%v too early", off)
		}
	})
}

// What an earlier answer adds is bounded, whichever server's it was: the clock of one is ahead,
// that of another was set back, and the answer of a third came ten minutes late.
func TestAReadingOfAnotherServer(t *testing.T) {
	const second = time.Second
	ahead := Reading{}.Next(noon.Add(time.Hour), second, 0)
	assert.Equal(t, noon.Add(second), ahead.Next(noon, second, time.Minute).Now)
	late := Reading{}.Next(noon, second, 0)
	assert.Equal(t, noon.Add(second), late.Next(noon, second, 10*time.Minute).Now)
	behind := Reading{}.Next(noon.Add(-time.Hour), second, 0)
	assert.Equal(t, noon, behind.Next(noon, second, time.Minute).Now)
	assert.Equal(t, noon, Reading{}.Next(noon, second, time.Hour).Now)
}

// machine is one whose clocks a test sets, on a server whose clock is behind it.
type machine struct {
	*server
	wall time.Time
	mono time.Duration

	behind        time.Duration
	takes, sleeps time.Duration // a question; the monotonic clock stands still while it sleeps
	refuses       error
	asked         int
}

func newMachine() *machine { return &machine{server: newServer(nil), wall: noon, mono: time.Hour} }

func (m *machine) clock() clock.Clock {
	return clock.Clock{Wall: func() time.Time { return m.wall },
		Mono: func() time.Duration { return m.mono }}
}

// Time is that of the moment of the question.
func (m *machine) Time(context.Context) (time.Time, time.Duration, error) {
	m.asked++
	shown := m.wall.Add(-m.behind)
	m.wall, m.mono = m.wall.Add(m.takes+m.sleeps), m.mono+m.takes
	return shown, time.Second, m.refuses
}

// The time is the end of the second that the server shows. An answer of before is not used, nor is
// this machine's clock, which may be set forward while the answer is on its way.
func TestANewQuestionEachTime(t *testing.T) {
	m := newMachine()
	m.takes, m.behind = time.Second, time.Hour
	s := New("teststore", 0, m, m.clock())
	for _, m.sleeps = range []time.Duration{0, 0, 10 * time.Minute, -time.Hour} {
		asked := m.wall
		now, err := s.Now(t.Context())
		require.NoError(t, err)
		assert.Equal(t, asked.Add(-m.behind+time.Second), now)
	}
	assert.Equal(t, 4, m.asked)
	m.refuses = errors.New("refused")
	_, err := s.Now(t.Context())
	assert.Error(t, err, "no answer of before is used")
}

// A write goes by the clock that the last view showed, however late it is sent. Nothing is
// written by this machine's clock alone.
func TestAWriteGoesByTheLastView(t *testing.T) {
	m := newMachine()
	s, w := opened(t, m, m.clock())
	write := func() error {
		applied, err := s.Write(t.Context(), w)
		require.Equal(t, err == nil, applied)
		if applied {
			w.Expect, w.Nonce[0], w.Acquire = []store.Nonce{w.Nonce}, w.Nonce[0]+1, false
		}
		return err
	}
	require.NoError(t, write(), "without a view it asks")
	assert.Equal(t, 1, m.asked)
	was := viewed(t, s).Now
	const paused = 10 * time.Minute
	m.wall, m.mono = m.wall.Add(paused), m.mono+paused
	require.NoError(t, write())
	assert.Equal(t, 2, m.asked)
	assert.Equal(t, was, viewed(t, s).Rows[0].Renewed)

	m.behind = -time.Hour // this machine's clock does not matter
	assert.Equal(t, m.wall.Add(time.Hour), viewed(t, s).Now)
	require.NoError(t, write())
	m.refuses = errors.New("refused")
	assert.Equal(t, m.wall, viewed(t, s).Now)
	for range 2 {
		require.ErrorIs(t, write(), m.refuses)
	}
	m.refuses = nil
	require.NoError(t, write(), "it asks again")
}
