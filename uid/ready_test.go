package uid

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// ready asserts that Ready says what a take that does not wait is answered, and returns it.
func ready(t *testing.T, g generator) error {
	t.Helper()
	synctest.Wait()
	taken := g.Stats().Taken
	said := g.Ready()
	assert.Equal(t, taken, g.Stats().Taken, "it takes no id")
	_, err := g.GetUIDContext(over())
	agree(t, said, err)
	return said
}

// agree asserts that Ready says what a take is answered.
func agree(t *testing.T, said, err error) {
	t.Helper()
	assert.Equal(t, err == nil, said == nil, "Ready says %v, a take %v", said, err)
	for _, sentinel := range []error{ErrClosed, ErrTimeOver, ErrLeaseLost, ErrRingEmpty, ErrAhead,
		ErrGrantEnded, ErrTickFull, ErrClockBack, worker.ErrFenced, worker.ErrAllHeld} {
		assert.Equal(t, errors.Is(err, sentinel), errors.Is(said, sentinel),
			"%v: Ready says %v, a take %v", sentinel, said, err)
	}
}

// bothReady runs a test with a generator of each kind.
func bothReady(t *testing.T, a func() worker.Assigner, c settings,
	test func(t *testing.T, g generator)) {
	t.Helper()
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		g, err := open(a(), c)
		require.NoError(t, err)
		defer g.Close()
		test(t, g)
	})
}

func static() worker.Assigner { return worker.Static(3) }

// drain takes all that there is now.
func drain(t *testing.T, g generator) (n int) {
	for {
		if _, err := g.GetUIDContext(over()); err != nil {
			return n
		}
		n++
		synctest.Wait()
	}
}

func TestReadyBeforeTheFirstID(t *testing.T) {
	c := testConfig()
	c.AllowRepeats = false // the first ids are of the next tick
	bothReady(t, static, c, func(t *testing.T, g generator) {
		assert.ErrorIs(t, ready(t, g), ErrAhead)
		time.Sleep(time.Second)
		assert.NoError(t, ready(t, g))
	})
}

func TestReadyWhenAllIDsOfTheTickAreTaken(t *testing.T) {
	c := testConfig()
	c.MaxAhead = time.Millisecond
	bothReady(t, static, c, func(t *testing.T, g generator) {
		assert.NoError(t, ready(t, g))
		drain(t, g)
		err := ready(t, g)
		if _, cached := g.(*CachedGenerator); cached {
			assert.ErrorIs(t, err, ErrRingEmpty)
			assert.ErrorIs(t, err, ErrAhead, "the padder is paused")
		} else {
			assert.ErrorIs(t, err, ErrTickFull)
		}
		time.Sleep(time.Second)
		assert.NoError(t, ready(t, g))
	})
}

// stalledLease is one whose renewal fails.
type stalledLease struct{ *testLease }

func (l stalledLease) Assign(context.Context, worker.Need) (worker.Lease, error) {
	return l, nil
}

func (stalledLease) Stalled() error { return worker.ErrClock }

func TestReadyWhileTheGrantIsUsedUp(t *testing.T) {
	var l *testLease
	bothReady(t, func() worker.Assigner { l = granted(0, 1); return stalledLease{l} }, testConfig(),
		func(t *testing.T, g generator) {
			assert.NoError(t, ready(t, g))
			time.Sleep(2 * time.Second)
			drain(t, g)
			err := ready(t, g)
			assert.ErrorIs(t, err, ErrGrantEnded)
			assert.ErrorContains(t, err, "2000-01-01T00:00:02Z", "where the grant ends")
			assert.ErrorIs(t, err, worker.ErrClock, "why there is no more")
			assert.GreaterOrEqual(t, l.asked(), bubbleStart.Unix()+2, "and more was asked for")
			l.set(func() { l.hi += 10 })
			assert.NoError(t, ready(t, g))
		})
}

func TestReadyAndDoneWhenTheLeaseIsGivenUp(t *testing.T) {
	var l *testLease
	c := testConfig()
	c.OnLeaseLost = policy.GiveUp
	lost := func(err error, test func(t *testing.T, g generator)) {
		bothReady(t, func() worker.Assigner { l = granted(0, 1); return l }, c,
			func(t *testing.T, g generator) {
				assert.NoError(t, ready(t, g))
				assert.False(t, isClosed(g.Done()))
				l.lose(err)
				synctest.Wait()
				assert.True(t, isClosed(g.Done()))
				test(t, g)
			})
	}
	lost(worker.ErrFenced, func(t *testing.T, g generator) {
		assert.ErrorIs(t, ready(t, g), worker.ErrFenced, "nothing that was granted is left")
	})
	lost(worker.ErrDeleted, func(t *testing.T, g generator) {
		assert.NoError(t, ready(t, g), "what was granted is used up")
		time.Sleep(2 * time.Second)
		drain(t, g)
		err := ready(t, g)
		assert.ErrorIs(t, err, ErrLeaseLost)
		assert.ErrorIs(t, err, worker.ErrDeleted)
	})
}

func TestReadyWhenTheLayoutIsUsedUp(t *testing.T) {
	c := testConfig()
	c.Layout.Epoch, c.Layout.TimeBits = bubbleStart, 6
	bothReady(t, static, c, func(t *testing.T, g generator) {
		assert.NoError(t, ready(t, g))
		time.Sleep(2 * time.Minute)
		drain(t, g)
		assert.ErrorIs(t, ready(t, g), ErrTimeOver)
		assert.False(t, isClosed(g.Done()), "the clock may be set right")
	})
}

func TestReadyAndDoneAfterClose(t *testing.T) {
	bothReady(t, static, testConfig(), func(t *testing.T, g generator) {
		assert.False(t, isClosed(g.Done()))
		require.NoError(t, g.Close())
		assert.True(t, isClosed(g.Done()))
		assert.ErrorIs(t, ready(t, g), ErrClosed)
	})
}

// A probe that asked knows what a take is answered, and must not change what is handed out,
// whatever the policies decide about a clock that is set back.
func TestReadyChangesNothing(t *testing.T) {
	for name, back := range map[string]policy.ClockBack{"refuse": policy.Refuse, "go on": policy.GoOn,
		"wait": policy.WaitUpTo(time.Hour), "turn": policy.Turn,
		"reserved": policy.Reserved{First: 1, Last: 2}} {
		t.Run(name, func(t *testing.T) {
			now := bubbleStart
			c := testConfig()
			c.Layout.TurnBits, c.MinSeq, c.ClockBack, c.TickFull = 1, 3, back, policy.BorrowAhead(3)
			c.Now = func() time.Time { return now }
			var g [2]*DefaultGenerator
			for i := range g {
				var err error
				g[i], err = newDefault(t.Context(), worker.Static(3), c)
				require.NoError(t, err)
				defer g[i].Close()
			}
			for i := range 600 {
				// A hundred at ten ids a tick and a hundred at fifty; then the clock is set back.
				now = bubbleStart.Add(time.Duration(i%100/(10+40*(i/100%2))+5*(i/200)) * time.Second)
				var said error
				for range i % 3 {
					said = g[0].Ready()
				}
				asked, err0 := g[0].GetUIDContext(over())
				left, err1 := g[1].GetUIDContext(over())
				require.Equal(t, left, asked)
				require.Equal(t, err1, err0)
				if i%3 > 0 {
					agree(t, said, err0)
				}
			}
		})
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
