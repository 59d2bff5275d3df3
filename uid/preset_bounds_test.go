package uid

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A worker id that an original takes though it does not fit (Baidu's takes a
// negative one, yitter-go cuts the high bits off) is an error for every preset,
// and the largest is one that works.
func TestEveryPresetRefusesWorkerIdsThatDoNotFit(t *testing.T) {
	for _, name := range Presets() {
		for kind, open := range constructors {
			t.Run(name+"/"+kind, func(t *testing.T) {
				c := system(t, name)
				c.Now = func() time.Time { return c.Layout.Epoch.AddDate(1, 0, 0) }
				largest := c.Layout.MaxWorker()
				for _, id := range []int64{-1, largest + 1, math.MaxInt64, math.MinInt64} {
					g, err := open(t.Context(), worker.Static(id), c)
					require.ErrorIs(t, err, ErrWorkerID, "%d", id)
					assert.Nil(t, g)
				}
				g, err := open(t.Context(), worker.Static(largest), c)
				require.NoError(t, err)
				defer g.Close()
				p, err := g.ParseUID(take(t, g, 1)[0])
				require.NoError(t, err)
				assert.Equal(t, largest, p.Worker, "all of its bits")
			})
		}
	}
}

// What Baidu's setters take and refuse: those that it refuses for their sum alone
// are layouts here, and those that no id can have are not.
func TestBaiduOptions(t *testing.T) {
	for name, c := range map[string]struct {
		time, worker, seq, boost int
		is                       error // nil: taken
	}{
		"28/22/12, a bit short":        {28, 22, 12, 0, nil},
		"63/0/0":                       {63, 0, 0, 0, nil},
		"28/22/14, a bit too many":     {28, 22, 14, 0, ErrLayout},
		"70/-10/3":                     {70, -10, 3, 0, ErrLayout},
		"boost 0 is the default":       {28, 22, 13, 0, nil},
		"boost -1 is none":             {28, 22, 13, NoBoost, nil},
		"boost -2":                     {28, 22, 13, -2, ErrConfig},
		"sequence 28 and boost 3":      {31, 4, 28, 3, nil},
		"sequence 32 and boost 3":      {31, 0, 32, 3, ErrConfig},
		"an int of a ring, 28 and 300": {31, 4, 28, 300, ErrConfig},
	} {
		t.Run(name, func(t *testing.T) {
			config := testConfig()
			config.Layout.TimeBits, config.Layout.WorkerBits, config.Layout.SeqBits = c.time, c.worker, c.seq
			config.Layout.Epoch, config.BoostPower = DefaultLayout.Epoch, c.boost
			config.Now = func() time.Time { return DefaultLayout.Epoch.AddDate(1, 0, 0) }
			g, err := NewCached(t.Context(), worker.Static(0), config)
			if c.is == nil {
				require.NoError(t, err)
				require.NoError(t, g.Close())
				return
			}
			require.ErrorIs(t, err, c.is)
			assert.Nil(t, g)
		})
	}
}

// Several generators in a process, also of one preset, have nothing in common:
// each gives what it would give alone.
func TestGeneratorsShareNothing(t *testing.T) {
	for _, name := range Presets() {
		t.Run(name, func(t *testing.T) {
			c := system(t, name)
			c.RandomSeq = 0
			now := c.Layout.Epoch.AddDate(1, 0, 0)
			c.Now = func() time.Time { return now }
			var all [3]*DefaultGenerator
			for id := range all {
				g, err := NewDefault(t.Context(), worker.Static(int64(id)), c)
				require.NoError(t, err)
				defer g.Close()
				all[id] = g
			}
			for n := range int64(20) {
				for id, g := range all {
					p, err := g.ParseUID(take(t, g, 1)[0])
					require.NoError(t, err)
					assert.Equal(t, []int64{int64(id), c.MinSeq + n}, []int64{p.Worker, p.Seq})
				}
			}
		})
	}
}

// A drift gives ids of the future, and a turn may stand behind what was given:
// who has the worker id next is told the highest tick of all.
func TestARestartIsToldOfWhatLiesAhead(t *testing.T) {
	for name, c := range map[string]struct {
		config Config
		takes  int
		step   time.Duration
		ahead  int64 // of the tick in which the generator began
	}{
		"yitter's drift":  {system(t, "yitter"), 59*10 + 1, 0, 10},
		"raindrop's turn": {system(t, "raindrop-s"), 1, -time.Hour, 0},
		"reserved ids":    {system(t, "yitter"), 1, -time.Second, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &testLease{id: 7, lo: math.MinInt64, hi: math.MaxInt64}
				clock := clockOf(c.config.Layout)
				clock.set(clock.start(100_000))
				c.config.Now = clock.Now
				g, err := NewDefault(t.Context(), l, c.config)
				require.NoError(t, err)
				take(t, g, c.takes)
				clock.step(c.step)
				take(t, g, 1)
				require.NoError(t, g.Close())
				assert.Equal(t, []int64{g.firstTick + 100_000 + c.ahead}, l.released)
			})
		})
	}
}

// Reserved ids go down to where the lease begins: the past before it is another
// holder's. Below, the step is refused at once.
func TestReservedIdsStayInsideTheGrant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := system(t, "yitter")
		clock := clockOf(c.Layout)
		clock.set(clock.start(1002))
		c.Now = clock.Now
		first := c.Layout.epochTick()
		g, err := NewDefault(t.Context(), &testLease{id: 7, lo: first + 1000, hi: math.MaxInt64}, c)
		require.NoError(t, err)
		defer g.Close()
		take(t, g, 1)
		clock.step(-2 * ms)
		ids := take(t, g, 2)
		assert.Equal(t, []ID{1001<<12 | 7<<6 | 1, 1000<<12 | 7<<6 | 1}, ids)
		before := time.Now()
		_, err = g.GetUID()
		assert.ErrorIs(t, err, ErrClockBack)
		assert.Zero(t, time.Since(before), "nothing to wait for")
	})
}

// A grant without an end that begins ahead is waited for, and is no end of time.
func TestAGrantThatBeginsAheadIsWaitedFor(t *testing.T) {
	l := &testLease{id: 7, lo: bubbleStart.Unix() + 2, hi: math.MaxInt64}
	defaultInBubble(t, l, testConfig(), func(t *testing.T, g *DefaultGenerator) {
		assert.Equal(t, []int64{2}, seconds(t, take(t, g, 1)))
		assert.Equal(t, 2*time.Second, time.Since(bubbleStart))
	})
}
