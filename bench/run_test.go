package bench

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

func TestACountIsTakenExactly(t *testing.T) {
	for name, c := range map[string]Config{
		"one":                     {Count: 1},
		"fewer than goroutines":   {Count: 3, Goroutines: 8},
		"a few":                   {Count: 1000, Goroutines: 4},
		"several rounds":          {Count: 1_234_567, Goroutines: 2},
		"batches":                 {Count: 10_000, Batch: 1024, Goroutines: 3},
		"a batch above the count": {Count: 10, Batch: 1024},
		"the largest batch":       {Count: 2_000_000, Batch: maxBatch},
		"batches, verified":       {Count: 100_000, Batch: 1000, Verify: true},
		"an open loop":            {Count: 1000, Rate: 1e6, Goroutines: 3},
	} {
		t.Run(name, func(t *testing.T) {
			g := &fake{}
			c.Generator = g
			r, err := Run(t.Context(), c)
			require.NoError(t, err)
			assert.Equal(t, c.Count, r.IDs)
			assert.Equal(t, c.Count, g.next.Load())
			assert.EqualValues(t, 1, g.closes.Load(), "closed")
			assert.Positive(t, r.LatencySamples)
			assert.LessOrEqual(t, r.LatencySamples, c.Count)
		})
	}
}

func TestTheReportsFiguresAgree(t *testing.T) {
	r, err := Run(t.Context(), Config{
		Generator: &fake{}, Count: 1_500_000, Goroutines: 2,
	})
	require.NoError(t, err)
	assert.InEpsilon(t, r.Seconds*1e9/float64(r.IDs), r.NSPerID, 1e-9)
	assert.InEpsilon(t, float64(r.IDs)/r.Seconds, r.IDsPerSecond, 1e-9)
	assert.InEpsilon(t, r.NSPerID/r.AtomicAddNS, r.Ratio, 1e-9)
	assert.InEpsilon(t, r.NSPerID/r.AtomicCallNS, r.CallRatio, 1e-9)
	assert.Len(t, r.rounds, rounds)

	var ids int64
	var seconds float64
	for _, o := range r.rounds {
		assert.Positive(t, o.add)
		assert.Positive(t, o.call)
		ids, seconds = ids+o.ids, seconds+o.took.Seconds()
	}
	assert.Equal(t, r.IDs, ids)
	assert.InEpsilon(t, r.Seconds, seconds, 1e-9)

	last := int64(1)
	for name, ns := range known(r.Latency) {
		assert.GreaterOrEqual(t, ns, last, name)
		last = ns
	}
	assert.Equal(t, r.Latency["max"], last)
	assert.Equal(t, uid.DefaultLayout(), r.Layout)
	assert.EqualValues(t, 7, r.WorkerID)
	assert.Equal(t, "NeverReused", r.Class)
	assert.Nil(t, r.Duplicates)
	assert.Nil(t, r.OrderViolations)
	assert.Contains(t, r.Machine, runtime.GOOS+"/"+runtime.GOARCH+", "+runtime.Version())
}

func TestALoadLastsItsDuration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := paced(time.Millisecond)
		r, err := Run(t.Context(), Config{Generator: g, Goroutines: 2, Duration: 3 * time.Second})
		require.NoError(t, err)
		assert.InDelta(t, 3, r.Seconds, 0.01)
		assert.InDelta(t, 6000, r.IDs, 30)
		assert.Len(t, r.rounds, rounds)
		assert.InEpsilon(t, 1e6, r.Latency["p50"], 0.02)
		assert.Zero(t, r.Errors, "takes that the end cut off are not errors")
	})
}

func TestATakeThatWaitsDoesNotOutlastTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		r, err := Run(t.Context(), Config{
			Generator: paced(time.Hour), Goroutines: 2, Duration: time.Second,
		})
		require.NoError(t, err)
		assert.Equal(t, time.Second, time.Since(start))
		assert.Zero(t, r.IDs)
		assert.Zero(t, r.NSPerID, "not infinite")
	})
}

// deaf is a generator whose batches heed Close alone.
type deaf struct {
	fake
	closed chan struct{}
}

func (d *deaf) AppendUIDs(dst []uid.ID, _ int) ([]uid.ID, error) {
	<-d.closed
	return dst, uid.ErrClosed
}

func (d *deaf) Close() error {
	close(d.closed)
	return nil
}

func TestABatchThatWaitsIsWokenByClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		g := &deaf{closed: make(chan struct{})}
		r, err := Run(t.Context(), Config{Generator: g, Batch: 10, Duration: time.Second})
		require.NoError(t, err)
		assert.Equal(t, time.Second+grace, time.Since(start))
		assert.Zero(t, r.Errors)
	})
}

// A take of a second must not go missing because rounds are shorter.
func TestALongCallIsNotCutOffByTheEndOfARound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := Run(t.Context(), Config{
			Generator: paced(700 * time.Millisecond), Goroutines: 1, Duration: 3 * time.Second,
		})
		require.NoError(t, err)
		assert.EqualValues(t, 4, r.IDs)
		assert.EqualValues(t, 5, r.LatencySamples, "slow calls are all timed, and one has no answer")
		assert.InEpsilon(t, 7e8, r.Latency["p50"], 0.02)
	})
}

func TestARunEndsWhenNoMoreIDsWillCome(t *testing.T) {
	for _, last := range []error{uid.ErrTimeOver, uid.ErrLeaseLost, uid.ErrClosed} {
		t.Run(last.Error(), func(t *testing.T) {
			g := faulty(func(_ context.Context, n int64) (uid.ID, error) {
				if n > 1000 {
					return 0, last
				}
				return uid.ID(n), nil
			})
			r, err := Run(t.Context(), Config{Generator: g, Goroutines: 2, Duration: time.Hour})
			require.ErrorIs(t, err, errTakes)
			require.ErrorIs(t, err, last)
			assert.EqualValues(t, 1000, r.IDs)
			assert.Positive(t, r.Errors)
		})
	}
}

func TestARunOfNothingButErrorsEndsEarly(t *testing.T) {
	for name, c := range map[string]Config{
		"by duration": {Duration: time.Hour},
		"by count":    {Count: 1 << 40},
		"open":        {Duration: time.Hour, Rate: 10},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				c.Goroutines = 2
				c.Generator = faulty(func(context.Context, int64) (uid.ID, error) {
					return 0, uid.ErrClockBack
				})
				r := must(c.withDefaults())
				run := newRun(r)
				run.await = run.sleep
				report, err := run.do(t.Context())
				require.ErrorIs(t, err, errTakes)
				require.ErrorIs(t, err, uid.ErrClockBack)
				assert.Zero(t, report.IDs)
				assert.Less(t, time.Since(start), 2*time.Second)
			})
		})
	}
}

func TestErrorsAreCountedAndTheFirstShown(t *testing.T) {
	boom := errors.New("boom")
	g := faulty(func(_ context.Context, n int64) (uid.ID, error) {
		if n%100 == 0 {
			return 0, boom
		}
		return uid.ID(n), nil
	})
	r, err := Run(t.Context(), Config{Generator: g, Count: 990, Goroutines: 1})
	require.ErrorIs(t, err, errTakes)
	require.ErrorContains(t, err, "9, the first: boom")
	assert.EqualValues(t, 990, r.IDs, "errors are not ids")
	assert.EqualValues(t, 9, r.Errors)
}

func TestSettingsThatCannotBe(t *testing.T) {
	for name, c := range map[string]Config{
		"no generator":          {},
		"negative goroutines":   {Generator: &fake{}, Goroutines: -1},
		"a crowd":               {Generator: &fake{}, Goroutines: maxGoroutines + 1},
		"a negative duration":   {Generator: &fake{}, Duration: -1},
		"a negative count":      {Generator: &fake{}, Count: -1},
		"duration and count":    {Generator: &fake{}, Duration: 1, Count: 1},
		"a huge batch":          {Generator: &fake{}, Batch: maxBatch + 1},
		"huge batches for many": {Generator: &fake{}, Batch: maxBatch, Goroutines: 1000},
		"streams of none":       {Generator: &fake{}, Stream: true},
		"a negative rate":       {Generator: &fake{}, Rate: -1},
		"a rate of batches":     {Generator: &fake{}, Rate: 1, Batch: 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Run(t.Context(), c)
			assert.ErrorIs(t, err, ErrConfig)
			if g, ok := c.Generator.(*fake); ok {
				assert.EqualValues(t, 1, g.closes.Load(), "closed whatever happens")
			}
		})
	}
}

func TestLifeUsedIsThePartOfTheLayoutsTime(t *testing.T) {
	begin := uid.DefaultLayout().Epoch.Add(1000 * time.Hour)
	g := &fake{stats: func(taken int64) uid.Stats {
		at := begin.Add(time.Duration(taken/8192) * time.Second)
		return uid.Stats{LastTick: at, Ahead: at.Sub(begin)}
	}}
	r, err := Run(t.Context(), Config{Generator: g, Count: 8192 * 1000})
	require.NoError(t, err)
	assert.InEpsilon(t, 1000.0/(1<<28), r.LifeUsed, 1e-9)
	assert.InDelta(t, 1000, r.AheadSeconds, 1e-9)
}

func TestALayoutsLifeMayBeLongerThanADuration(t *testing.T) {
	l := uid.Layout{
		Epoch: time.Unix(0, 0), Unit: 24 * time.Hour, TimeBits: 46, WorkerBits: 4, SeqBits: 13,
	}
	from := uid.Stats{LastTick: time.Unix(0, 0)}
	to := uid.Stats{LastTick: time.Unix(1<<44*86400, 0)}
	assert.InEpsilon(t, 0.25, lifeUsed(l, time.Unix(0, 0), from, to), 1e-9)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// On a busy machine a short load is over before the first answer comes.
func TestAnErrorAfterWhichNoIDsComeCountsAfterTheLoadToo(t *testing.T) {
	g := faulty(func(ctx context.Context, _ int64) (uid.ID, error) {
		<-ctx.Done()
		return 0, uid.ErrTimeOver
	})
	_, err := Run(t.Context(), Config{Generator: g, Duration: time.Millisecond})
	assert.ErrorIs(t, err, uid.ErrTimeOver)
}
