package uid

import (
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// idAt is an id of testLayout, so many seconds after the bubble's start.
func idAt(t *testing.T, after, workerID, seq int64) ID {
	id, err := testLayout.Compose(
		Parts{Tick: testLayout.unixTick(bubbleStart) - testLayout.epochTick() + after, Worker: workerID,
			Seq: seq})
	require.NoError(t, err)
	return id
}

func TestAnAboveThatTheLayoutCannotHaveIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := idAt(t, 10, 5, 0)
		for name, test := range map[string]struct {
			above ID
			with  func(*settings)
			says  string
		}{
			"negative":                {-1, nil, "id that exists"},
			"behind the layout's end": {1<<62 + 1<<61, nil, "no ids above it"},
			"ahead of the clock":      {s, nil, "a default generator makes none ahead of the clock"},
			"ahead of MaxAhead":       {s, func(c *settings) { c.MaxAhead = time.Second }, "MaxAhead is 1s"},
			"not to be borrowed":      {s, func(c *settings) { c.AllowRepeats = false }, "not fenced"},
		} {
			c := testConfig()
			c.Above = test.above
			if test.with != nil {
				test.with(&c)
				_, err := newCached(t.Context(), worker.Static(7), c)
				require.ErrorIs(t, err, ErrConfig, name)
				assert.ErrorContains(t, err, test.says)
				continue
			}
			_, err := newDefault(t.Context(), worker.Static(7), c)
			require.ErrorIs(t, err, ErrConfig, name)
			assert.ErrorContains(t, err, test.says)
		}
	})
}

// The worker id is given back when its grant ends before.
func TestAnAboveThatALeaseCannotReachIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := granted(0, 60)
		c := testConfig()
		c.Above = idAt(t, 65, 5, 0) // granted in five seconds, when a take gives up
		_, err := newCached(t.Context(), l, c)
		require.ErrorIs(t, err, ErrConfig)
		assert.ErrorContains(t, err, "granted until 2000-01-01T00:01:01Z")
		assert.Len(t, l.released, 1)

		c.Above = idAt(t, 20, 5, 0)
		log := logTo(&c)
		g, err := newCached(t.Context(), l, c)
		require.NoError(t, err)
		defer g.Close()
		assert.Equal(t, []ID{idAt(t, 20, 7, 0)}, take(t, g, 1),
			"in the same tick, as the worker id is greater")
		require.NoError(t, g.Close())
		assert.Contains(t, log.String(), "ids begin ahead of the clock")
	})
}

// A take that waits for the first tick gives up when that begins, if both come to five seconds.
func TestAnAboveThatATakeCannotWaitForIsRefused(t *testing.T) {
	c := testConfig()
	c.AllowRepeats = false // no tick is minted before it begins
	for name, makes := range map[string]func() (generator, error){
		"default": func() (generator, error) { return newDefault(t.Context(), worker.Static(7), c) },
		"cached":  func() (generator, error) { return newCached(t.Context(), worker.Static(7), c) },
	} {
		synctest.Test(t, func(t *testing.T) {
			c.Above = idAt(t, 4, 9, 0)
			_, err := makes()
			require.ErrorIs(t, err, ErrConfig, name)
			assert.ErrorContains(t, err, "first id is of 2000-01-01T00:00:05Z")

			c.Above = idAt(t, 3, 9, 0)
			log := logTo(&c)
			g, err := makes()
			require.NoError(t, err, name)
			defer g.Close()
			assert.Equal(t, []ID{idAt(t, 4, 7, 0)}, take(t, g, 1), name)
			require.NoError(t, g.Close())
			assert.NotContains(t, log.String(), "ids begin ahead", "a take waits for them")
		})
	}
}

// A clock that is set back below it brings no id below it, whatever the policy says.
func TestAClockSetBackStaysAbove(t *testing.T) {
	for name, back := range map[string]policy.ClockBack{"go on": policy.GoOn, "turn": policy.Turn,
		"reserved": policy.Reserved{First: 1, Last: 2}} {
		t.Run(name, func(t *testing.T) {
			now := bubbleStart
			c := testConfig()
			c.Layout.TurnBits, c.MinSeq, c.ClockBack = 1, 3, back
			c.Now = func() time.Time { return now }
			p := Parts{Tick: c.Layout.unixTick(now) - c.Layout.epochTick() - 5, Worker: 9}
			above, err := c.Layout.Compose(p)
			require.NoError(t, err)
			c.Above = above
			g, err := newDefault(t.Context(), worker.Static(7), c)
			require.NoError(t, err)
			defer g.Close()
			for range 30 {
				for range 5 {
					if id, err := g.GetUIDContext(over()); err == nil {
						assert.Greater(t, id, above)
					}
				}
				now = now.Add(-time.Second)
			}
		})
	}
}

func TestTheFirstTickAboveIsNotBeyondAllTicks(t *testing.T) {
	c := settings{Layout: Layout{Epoch: bubbleStart, Unit: time.Second, TimeBits: 63},
		Above: math.MaxInt64 - 1}
	assert.Equal(t, int64(math.MaxInt64), c.firstAbove(0), "none, counted from 1970")
	c.Layout.Epoch = time.Unix(-10, 0)
	assert.Equal(t, int64(math.MaxInt64-10), c.firstAbove(0))

	c = testConfig()
	var err error
	c.Above, err = c.Layout.Compose(Parts{Worker: 5})
	require.NoError(t, err)
	for id, tick := range map[int64]int64{4: 1, 5: 1, 6: 0} {
		assert.Equal(t, c.Layout.epochTick()+tick, c.firstAbove(id))
	}
}

// The next worker id may be one whose ids all lie below it: it is given back for another.
func TestAWorkerIdBelowAnAboveIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := testConfig()
		c.Layout.Order = WorkerTimeSequence
		var err error
		c.Above, err = c.Layout.Compose(Parts{Worker: 5})
		require.NoError(t, err)
		leases := []*testLease{granted(0, 9000), granted(0, 9000), granted(0, 9000)}
		leases[0].id, leases[1].id, leases[2].id = 6, 4, 7
		g, err := newCached(t.Context(), &succession{leases: leases}, c)
		require.NoError(t, err)
		defer g.Close()
		leases[0].lose(worker.ErrDeleted)
		time.Sleep(time.Minute)
		assert.EqualValues(t, 7, g.Stats().WorkerID)
		assert.Len(t, leases[1].released, 1)
	})
}

// A worker id that is never reused is not spent on an Above that no start can use.
func TestAnAboveOfTomorrowSpendsNoWorkerId(t *testing.T) {
	tomorrow, err := DefaultLayout().MaxID(time.Now().AddDate(0, 0, 1))
	require.NoError(t, err)
	asked := errors.New("a worker id was asked for")
	_, err = newDefault(t.Context(), failing{asked}, settings{Above: tomorrow})
	require.ErrorIs(t, err, ErrConfig)
	_, err = newCached(t.Context(), failing{asked}, settings{Above: tomorrow, MaxAhead: time.Minute})
	require.ErrorIs(t, err, ErrConfig)
}
