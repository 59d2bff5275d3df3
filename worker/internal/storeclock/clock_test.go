package storeclock

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker/internal/sentinel"
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
	sent := c.machine.Mono()
	m.pass(10 * time.Millisecond)
	c.Read(sent, noon, time.Second)
	for range 100 {
		now, err := c.Now()
		require.NoError(t, err)
		assert.Equal(t, m.wall, now.UTC())
		m.pass(time.Minute)
	}
}

func TestReadingsNarrowTheBounds(t *testing.T) {
	m := &machine{wall: noon.Add(time.Hour)}
	m.mono = 700 * time.Millisecond
	c := m.clock()
	c.Read(c.machine.Mono(), noon, time.Second) // the truth is noon and 0.7 s
	m.pass(400 * time.Millisecond)
	c.Read(c.machine.Mono(), noon.Add(time.Second), time.Second) // now and 1.1 s
	now, _ := c.Now()
	assert.WithinRange(t, now, noon.Add(time.Second), noon.Add(1400*time.Millisecond))
}

// Another server leads, whose clock is another one.
func TestAReadingThatContradictsIsBelieved(t *testing.T) {
	m := &machine{wall: noon}
	c := m.clock()
	c.Read(c.machine.Mono(), noon, time.Millisecond)
	m.pass(time.Second)
	c.Read(c.machine.Mono(), noon.Add(-time.Minute), time.Millisecond)
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
	c.Read(c.machine.Mono(), noon, time.Second)
	assert.False(t, c.Due(), "a reading that came by itself")
}

// While a machine sleeps, its monotonic clock may stand still: then the bounds are too low.
func TestAMachineThatSleptAsksAgain(t *testing.T) {
	m := &machine{wall: noon, mono: time.Hour}
	c := m.clock()
	require.True(t, c.Due())
	c.Read(c.machine.Mono(), noon, time.Second)
	m.pass(time.Second)
	m.wall = m.wall.Add(doubtful / 2)
	require.False(t, c.Due(), "a step of a moment")
	m.wall = noon.Add(time.Minute)
	require.True(t, c.Due())
	require.False(t, c.Due(), "somebody is about it")
	c.Read(c.machine.Mono(), m.wall, time.Second)
	now, err := c.Now()
	require.NoError(t, err)
	assert.Equal(t, m.wall, now.UTC())
	assert.False(t, c.Due())
}

// Nobody goes on without the first answer, and nobody waits for a later one.
func TestWhoAsks(t *testing.T) {
	m := &machine{wall: noon, mono: time.Hour}
	c, asked := m.clock(), 0
	var ask Ask
	ask = func(ctx context.Context) (time.Time, time.Duration, error) {
		if asked++; asked%2 == 1 { // while this question is under way, somebody else comes
			c.Refresh(ctx, ask)
		}
		return noon, time.Second, nil
	}
	c.Refresh(t.Context(), ask)
	require.Equal(t, 2, asked, "both ask")
	c.Expire()
	c.Refresh(t.Context(), ask)
	require.Equal(t, 3, asked, "the second does not")
}

func TestWhyItIsNotKnown(t *testing.T) {
	m := &machine{wall: noon}
	c := m.clock()
	reason := errors.New("refused")
	refused := func(context.Context) (time.Time, time.Duration, error) { return noon, 0, reason }
	answers := func(context.Context) (time.Time, time.Duration, error) { return m.wall, 0, nil }
	c.Refresh(t.Context(), refused)
	now, err := c.Now()
	assert.Equal(t, noon, now)
	assert.ErrorIs(t, err, reason)
	_, err = c.ForWrite()
	assert.ErrorIs(t, err, reason, "nothing is written by this machine's clock alone")
	assert.NotErrorIs(t, err, sentinel.ErrClock)
	c.Refresh(t.Context(), answers)
	_, err = c.Now()
	assert.ErrorIs(t, err, reason, "it is not asked again at once")
	m.pass(again)
	c.Refresh(t.Context(), answers)
	_, err = c.Now()
	assert.NoError(t, err)
	m.pass(every)
	c.Refresh(t.Context(), refused)
	_, err = c.ForWrite()
	assert.NoError(t, err, "an older reading stands")
	m.pass(again)
	assert.False(t, c.Due())
}

// A question that was asked before, and however its answer is extrapolated, is not asked.
func TestANewQuestionEachTime(t *testing.T) {
	m := &machine{wall: noon, mono: time.Hour}
	c := m.clock()
	takes, sleeps := time.Second, time.Duration(0)
	ask := Ask(func(context.Context) (time.Time, time.Duration, error) {
		shown := m.wall.Add(-time.Hour)
		m.pass(takes)
		m.wall = m.wall.Add(sleeps)
		return shown, time.Second, nil
	})
	for range 3 {
		now, err := ask.Now(t.Context(), c)
		require.NoError(t, err)
		assert.Equal(t, m.wall.Add(-time.Hour+time.Second), now, "when the answer comes, and the grain")
	}
	sleeps = 10 * time.Minute // and the monotonic clock stands still
	now, err := ask.Now(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, m.wall.Add(-time.Hour+time.Second), now)
	_, err = Ask(func(context.Context) (time.Time, time.Duration, error) {
		return noon, 0, errors.New("refused")
	}).Now(t.Context(), c)
	assert.Error(t, err, "no reading of before is used")
}

func TestAMachineWhoseClockIsOffMayNotWrite(t *testing.T) {
	m := &machine{wall: noon, mono: time.Hour}
	c := m.clock()
	c.Read(c.machine.Mono(), noon, time.Second)
	for off, refused := range map[time.Duration]bool{
		0: false, time.Second: false, 2900 * time.Millisecond: false, 3100 * time.Millisecond: true,
		time.Hour: true, -1900 * time.Millisecond: false, -2100 * time.Millisecond: true,
		-time.Hour: true, 10 * 365 * 24 * time.Hour: true,
	} {
		m.wall = noon.Add(off)
		now, err := c.ForWrite()
		assert.Equal(t, refused, errors.Is(err, sentinel.ErrClock), "%v: %v", off, err)
		assert.WithinRange(t, now, noon, noon.Add(time.Second), "%v: it is not believed", off)
	}
}

// The answer came ten minutes after the question, since the machine was paused: the store's
// time is known to ten minutes, of which a machine whose clock is ahead uses two seconds.
func TestAnAnswerThatCameLate(t *testing.T) {
	m := &machine{wall: noon.Add(5 * time.Minute), mono: time.Hour}
	c := m.clock()
	sent := c.machine.Mono()
	m.pass(10 * time.Minute)
	c.Read(sent, noon, time.Second) // the store's clock may show noon, or 12:10
	now, err := c.ForWrite()
	assert.ErrorIs(t, err, sentinel.ErrClock)
	assert.Equal(t, noon.Add(MostAhead), now.UTC())
}
