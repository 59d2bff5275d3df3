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
)

// machine is one whose clocks a test sets, and what the store tells it.
type machine struct {
	wall time.Time
	mono time.Duration

	takes, sleeps time.Duration // a question; the monotonic clock stands still while it sleeps
	shows         time.Time
	grain         time.Duration
	refuses       error
	asked         int
}

func (m *machine) clock() *Clock {
	return NewClock(clock.Clock{Wall: func() time.Time { return m.wall },
		Mono: func() time.Duration { return m.mono }})
}

func (m *machine) pass(d time.Duration) { m.wall, m.mono = m.wall.Add(d), m.mono+d }

func (m *machine) ask(context.Context) (time.Time, time.Duration, error) {
	m.asked++
	m.pass(m.takes)
	m.wall = m.wall.Add(m.sleeps)
	return m.shows, m.grain, m.refuses
}

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func TestAMachineThatIsRightGoesByItsClock(t *testing.T) {
	m := &machine{wall: noon.Add(300 * time.Millisecond), mono: time.Hour, shows: noon,
		grain: time.Second, takes: 10 * time.Millisecond}
	c := m.clock()
	for range 100 {
		now, err := c.Now(t.Context(), m.ask)
		require.NoError(t, err)
		assert.Equal(t, m.wall, now.UTC())
		m.pass(time.Minute)
		m.refuses = errors.New("an older answer stands")
	}
}

func TestAnswersNarrowTheBounds(t *testing.T) {
	m := &machine{wall: noon.Add(time.Hour), mono: 700 * time.Millisecond, grain: time.Second,
		shows: noon} // the truth is noon and 0.7 s
	c := m.clock()
	_, err := c.Latest(t.Context(), m.ask)
	require.NoError(t, err)
	m.pass(400 * time.Millisecond)
	m.shows = noon.Add(time.Second) // and now 1.1 s
	_, err = c.Latest(t.Context(), m.ask)
	require.NoError(t, err)
	now, _ := c.Now(t.Context(), m.ask)
	assert.WithinRange(t, now, noon.Add(time.Second), noon.Add(1400*time.Millisecond))
}

// Another server leads, whose clock is another one.
func TestAnAnswerThatContradictsIsBelieved(t *testing.T) {
	m := &machine{wall: noon, shows: noon, grain: time.Millisecond}
	c := m.clock()
	_, err := c.Latest(t.Context(), m.ask)
	require.NoError(t, err)
	m.pass(time.Second)
	m.shows = noon.Add(-time.Minute)
	_, err = c.Latest(t.Context(), m.ask)
	require.NoError(t, err)
	now, _ := c.Now(t.Context(), m.ask)
	assert.WithinRange(t, now, noon.Add(-time.Minute), noon.Add(-time.Minute+time.Millisecond))
}

// The store is asked once a minute. While a machine sleeps, its monotonic clock may stand still:
// then the bounds are too low, and it is asked at once.
func TestWhenTheStoreIsAsked(t *testing.T) {
	m := &machine{wall: noon, mono: time.Hour, grain: time.Second}
	c := m.clock()
	asked := func(want int, why string) {
		t.Helper()
		m.asked, m.shows = 0, m.wall
		for range 3 {
			now, err := c.Now(t.Context(), m.ask)
			require.NoError(t, err)
			assert.Equal(t, m.wall, now.UTC())
		}
		assert.Equal(t, want, m.asked, why)
	}
	asked(1, "nothing is known yet")
	m.pass(every - time.Second)
	asked(0, "not yet")
	m.pass(time.Second)
	asked(1, "a minute later")
	m.wall = m.wall.Add(doubtful / 2)
	asked(0, "a step of a moment")
	m.wall = m.wall.Add(time.Hour)
	asked(1, "it slept")
	m.pass(every)
	m.sleeps = time.Hour
	_, _ = c.Now(t.Context(), m.ask)
	m.sleeps = 0
	asked(1, "it slept during the question")
}

// Nobody continues without the first answer, and nobody waits for a later one.
func TestWhoAsks(t *testing.T) {
	m := &machine{wall: noon, mono: time.Hour, shows: noon, grain: time.Second}
	c, asked := m.clock(), 0
	var ask Ask
	ask = func(ctx context.Context) (time.Time, time.Duration, error) {
		if asked++; asked%2 == 1 { // while this question is under way, somebody else comes
			_, err := c.Now(ctx, ask)
			assert.NoError(t, err)
		}
		return m.ask(ctx)
	}
	_, err := c.Now(t.Context(), ask)
	require.NoError(t, err)
	require.Equal(t, 2, asked, "both ask")
	m.pass(every)
	m.shows = m.wall
	_, err = c.Now(t.Context(), ask)
	require.NoError(t, err)
	require.Equal(t, 3, asked, "the second does not")
}

// Nothing is written by this machine's clock alone.
func TestWhyItIsNotKnown(t *testing.T) {
	m := &machine{wall: noon, shows: noon, refuses: errors.New("refused")}
	c := m.clock()
	for range 2 {
		now, err := c.Now(t.Context(), m.ask)
		assert.Equal(t, noon, now)
		assert.ErrorIs(t, err, m.refuses)
		assert.NotErrorIs(t, err, worker.ErrClock)
	}
	m.refuses = nil
	_, err := c.Now(t.Context(), m.ask)
	assert.NoError(t, err)
}

// A question that was asked before, and however its answer is extrapolated, is not asked.
func TestANewQuestionEachTime(t *testing.T) {
	m := &machine{wall: noon, mono: time.Hour, takes: time.Second, grain: time.Second}
	c := m.clock()
	latest := func() {
		t.Helper()
		m.shows = m.wall.Add(-time.Hour)
		now, err := c.Latest(t.Context(), m.ask)
		require.NoError(t, err)
		assert.Equal(t, m.wall.Add(-time.Hour+time.Second), now, "when the answer comes, and the grain")
	}
	for range 3 {
		latest()
	}
	m.sleeps = 10 * time.Minute
	latest()
	m.refuses = errors.New("refused")
	_, err := c.Latest(t.Context(), m.ask)
	assert.Error(t, err, "no answer of before is used")
}

func TestAMachineWhoseClockIsOffMayNotWrite(t *testing.T) {
	for off, refused := range map[time.Duration]bool{
		0: false, time.Second: false, 2900 * time.Millisecond: false, 3100 * time.Millisecond: true,
		time.Hour: true, -1900 * time.Millisecond: false, -2100 * time.Millisecond: true,
		-time.Hour: true, 10 * 365 * 24 * time.Hour: true,
	} {
		m := &machine{wall: noon.Add(off), mono: time.Hour, shows: noon, grain: time.Second}
		now, err := m.clock().Now(t.Context(), m.ask)
		assert.Equal(t, refused, errors.Is(err, worker.ErrClock), "%v: %v", off, err)
		assert.WithinRange(t, now, noon, noon.Add(time.Second), "%v: it is not believed", off)
	}
}

// The answer came ten minutes after the question, since the machine was paused: the store's
// time is known to ten minutes, of which a machine whose clock is ahead uses two seconds.
func TestAnAnswerThatCameLate(t *testing.T) {
	m := &machine{wall: noon.Add(-5 * time.Minute), mono: time.Hour, takes: 10 * time.Minute,
		shows: noon, grain: time.Second} // the store's clock may show noon, or 12:10
	now, err := m.clock().Now(t.Context(), m.ask)
	assert.ErrorIs(t, err, worker.ErrClock)
	assert.Equal(t, noon.Add(MostAhead), now.UTC())
}
