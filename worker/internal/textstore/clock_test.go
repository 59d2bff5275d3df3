package textstore

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// The store's clock shows noon to a second later.
func TestEstimate(t *testing.T) {
	for off, refused := range map[time.Duration]bool{
		0: false, time.Second: false, 2900 * time.Millisecond: false, 3100 * time.Millisecond: true,
		time.Hour: true, -1900 * time.Millisecond: false, -2100 * time.Millisecond: true,
		-time.Hour: true, 10 * 365 * 24 * time.Hour: true,
	} {
		now, err := Estimate(noon.Add(off), noon, time.Second)
		assert.Equal(t, refused, errors.Is(err, worker.ErrClock), "%v: %v", off, err)
		nearest := noon.Add(min(max(0, off), time.Second))
		assert.Equal(t, nearest, now, off)
	}
}

// The answer came ten minutes after the question, since the machine was paused: the store's
// time is known to ten minutes, of which a machine whose clock is ahead uses two seconds.
func TestAnAnswerThatCameLate(t *testing.T) {
	now, err := Estimate(noon.Add(5*time.Minute), noon, 10*time.Minute)
	assert.ErrorIs(t, err, worker.ErrClock)
	assert.Equal(t, noon.Add(MostAhead), now)
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

// The latest time is that when the answer comes. A question that was asked before, and however
// its answer is extrapolated, is not asked.
func TestANewQuestionEachTime(t *testing.T) {
	m := newMachine()
	m.takes, m.behind = time.Second, time.Hour
	s := New("teststore", 0, m, m.clock())
	for _, m.sleeps = range []time.Duration{0, 0, 10 * time.Minute} {
		now, err := s.Now(t.Context())
		require.NoError(t, err)
		assert.Equal(t, m.wall.Add(-m.behind+time.Second), now)
	}
	assert.Equal(t, 3, m.asked)
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
	m.wall = m.wall.Add(10 * time.Minute) // it was paused, or somebody set it
	require.NoError(t, write())
	assert.Equal(t, 2, m.asked)
	v := viewed(t, s)
	assert.Equal(t, was, v.Rows[0].Renewed)
	assert.Equal(t, m.wall, v.Now)

	m.behind = time.Hour
	assert.Equal(t, m.wall.Add(-m.behind+time.Second), viewed(t, s).Now)
	require.ErrorIs(t, write(), worker.ErrClock)
	m.behind, m.refuses = 0, errors.New("refused")
	assert.Equal(t, m.wall, viewed(t, s).Now)
	for range 2 {
		err := write()
		require.ErrorIs(t, err, m.refuses)
		assert.NotErrorIs(t, err, worker.ErrClock)
	}
	m.refuses = nil
	viewed(t, s)
	require.NoError(t, write())
}
