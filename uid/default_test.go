package uid

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// defaultInBubble runs a test with a default generator under a fake clock.
func defaultInBubble(t *testing.T, a worker.Assigner, c Config,
	test func(t *testing.T, g *DefaultGenerator)) {
	synctest.Test(t, func(t *testing.T) {
		g, err := NewDefault(t.Context(), a, c)
		require.NoError(t, err)
		defer g.Close()
		test(t, g)
	})
}

func TestDefaultFollowsTheClockAndWaitsWhenATickIsFull(t *testing.T) {
	defaultInBubble(t, worker.Static(3), testConfig(), func(t *testing.T, g *DefaultGenerator) {
		ids := take(t, g, 40)
		assert.Equal(t, 2*time.Second, time.Since(bubbleStart), "16 ids a second")
		for i, id := range ids {
			p, err := g.ParseUID(id)
			require.NoError(t, err)
			assert.EqualValues(t, i/16, p.Time.Unix()-bubbleStart.Unix())
			assert.EqualValues(t, i%16, p.Seq)
			assert.EqualValues(t, 3, p.Worker)
		}
		time.Sleep(time.Hour)
		p, err := g.ParseUID(take(t, g, 1)[0])
		require.NoError(t, err)
		assert.Equal(t, time.Now().UTC().Truncate(time.Second), p.Time)
		assert.Zero(t, p.Seq, "a new tick begins at zero")

		s := g.Stats()
		assert.EqualValues(t, 41, s.Taken)
		assert.EqualValues(t, 2, s.Waits)
		assert.LessOrEqual(t, s.Ahead, time.Second)
	})
}

func TestAClockSetBackIsRefusedAndSaysByHowMuch(t *testing.T) {
	for name, c := range map[string]struct {
		back time.Duration
		by   string
	}{
		"a second":  {time.Second, "about 1s"},
		"a day":     {24 * time.Hour, "about 24h0m0s"},
		"ten years": {10 * 365 * 24 * time.Hour, "about 87600h0m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			var offset time.Duration
			config := testConfig()
			config.Layout.Epoch = bubbleStart.AddDate(-20, 0, 0)
			config.Now = func() time.Time { return time.Now().Add(offset) }
			defaultInBubble(t, worker.Static(3), config, func(t *testing.T, g *DefaultGenerator) {
				before := take(t, g, 1)
				offset = -c.back
				_, err := g.GetUID()
				require.ErrorIs(t, err, ErrClockBack)
				assert.ErrorContains(t, err, c.by)
				assert.EqualValues(t, 1, g.Stats().Rejected)
				offset = 0
				assert.Equal(t, before[0]+1, take(t, g, 1)[0], "goes on where it was")
			})
		})
	}
}

func TestAClockBeforeTheEpochGivesNoId(t *testing.T) {
	var offset time.Duration
	c := testConfig()
	c.Now = func() time.Time { return time.Now().Add(offset) }
	defaultInBubble(t, worker.Static(3), c, func(t *testing.T, g *DefaultGenerator) {
		offset = -48 * time.Hour
		id, err := g.GetUID()
		assert.ErrorIs(t, err, ErrClockBack)
		assert.Zero(t, id)
	})
}

func TestTimeRunsOutWhileRunningDefault(t *testing.T) {
	c := testConfig()
	c.Layout.TimeBits = 17
	c.Layout.Epoch = bubbleStart.Add(-24 * time.Hour)
	defaultInBubble(t, worker.Static(3), c, func(t *testing.T, g *DefaultGenerator) {
		time.Sleep(time.Until(c.Layout.End()) - time.Second)
		ids := take(t, g, 16)
		p, err := g.ParseUID(ids[15])
		require.NoError(t, err)
		assert.EqualValues(t, 1<<17-1, p.Tick, "the last tick is used")
		for range 2 {
			id, err := g.GetUID()
			assert.ErrorIs(t, err, ErrTimeOver)
			assert.ErrorContains(t, err,
				"ends at 2000-01-01T12:24:32Z (the clock shows 2000-01-01T12:24:32Z)")
			assert.Zero(t, id)
		}
	})
}

func TestALongTickIsNotWaitedForWithoutAContext(t *testing.T) {
	c := testConfig()
	c.Layout.Unit = time.Hour
	defaultInBubble(t, worker.Static(3), c, func(t *testing.T, g *DefaultGenerator) {
		take(t, g, 16)
		_, err := g.GetUID()
		require.ErrorIs(t, err, ErrTickFull)
		assert.ErrorContains(t, err, "2000-01-01T01:00:00Z", "when the next begins")
		assert.Zero(t, time.Since(bubbleStart), "nothing would come of waiting")

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err = g.GetUIDContext(ctx)
		assert.ErrorIs(t, err, ErrTickFull)
		assert.ErrorIs(t, err, context.DeadlineExceeded)

		_, err = g.GetUIDContext(t.Context())
		require.NoError(t, err, "a context may last until the next tick")
		assert.Equal(t, time.Hour, time.Since(bubbleStart))
	})
}

// With a clock that stands still the next tick never comes: five seconds without
// progress, then the error.
func TestAStandingClockIsNotWaitedForForever(t *testing.T) {
	c := testConfig()
	c.Now = func() time.Time { return bubbleStart.Add(time.Hour) }
	defaultInBubble(t, worker.Static(3), c, func(t *testing.T, g *DefaultGenerator) {
		take(t, g, 16)
		_, err := g.GetUID()
		assert.ErrorIs(t, err, ErrTickFull)
		assert.Equal(t, 5*time.Second, time.Since(bubbleStart))
	})
}

func TestDefaultIsUniqueFromManyGoroutines(t *testing.T) {
	c := liveClock(testConfig())
	c.Layout.TimeBits, c.Layout.SeqBits = 35, 20
	g, err := NewDefault(t.Context(), worker.Static(1), c)
	require.NoError(t, err)
	defer g.Close()
	const goroutines, each = 8, 50_000
	lists := make([][]ID, goroutines)
	var wg sync.WaitGroup
	for i := range lists {
		wg.Go(func() {
			for range each {
				id, err := g.GetUID()
				if err != nil {
					t.Error(err)
					return
				}
				lists[i] = append(lists[i], id)
			}
			if !slices.IsSorted(lists[i]) {
				t.Error("a goroutine's ids do not grow")
			}
		})
	}
	wg.Wait()
	all := slices.Concat(lists...)
	slices.Sort(all)
	assert.Len(t, slices.Compact(all), goroutines*each)
}

func TestDefaultAfterClose(t *testing.T) {
	l := &testLease{id: 7, lo: math.MinInt64, hi: math.MaxInt64}
	defaultInBubble(t, l, testConfig(), func(t *testing.T, g *DefaultGenerator) {
		take(t, g, 16)
		answer := make(chan error)
		go func() {
			_, err := g.GetUID() // waits for the next tick
			answer <- err
		}()
		synctest.Wait()
		require.NoError(t, g.Close())
		require.NoError(t, g.Close())
		assert.ErrorIs(t, <-answer, ErrClosed)
		_, err := g.GetUID()
		assert.ErrorIs(t, err, ErrClosed)
		assert.Equal(t, []int64{bubbleStart.Unix()}, l.released)
	})
}

func TestDefaultMintsOnlyWhatIsGranted(t *testing.T) {
	now := bubbleStart.Unix()
	l := &testLease{id: 7, lo: now + 2, hi: now + 3}
	c := testConfig()
	c.OnLeaseLost = policy.GiveUp
	defaultInBubble(t, l, c, func(t *testing.T, g *DefaultGenerator) {
		ids := take(t, g, 1)
		assert.Equal(t, []int64{2}, seconds(t, ids), "waited until the grant began")
		time.Sleep(2 * time.Second) // beyond the grant
		_, err := g.GetUID()
		assert.ErrorIs(t, err, ErrGrantEnded)
		assert.Equal(t, 9*time.Second, time.Since(bubbleStart), "five seconds in which nothing came")
		assert.GreaterOrEqual(t, l.asked(), now+4)

		answer := make(chan error)
		go func() {
			_, err := g.GetUID()
			answer <- err
		}()
		synctest.Wait()
		l.set(func() { l.hi += 100 })
		require.NoError(t, <-answer, "the wait ended with the grant")

		l.set(func() { l.err = worker.ErrFenced })
		synctest.Wait()
		_, err = g.GetUID()
		assert.ErrorIs(t, err, ErrLeaseLost)
		assert.ErrorIs(t, err, worker.ErrFenced)
	})
}
