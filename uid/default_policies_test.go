package uid

import (
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// small is what an id of testLayout and worker 3 is.
func small(tick, seq int64) ID { return ID(tick<<26 | 3<<4 | seq) }

// The clock of a machine is often set right just after the start, to before the lease.
func TestGoOnGoesOnWhereTheClockIsBeforeTheLease(t *testing.T) {
	for name, r := range map[string]struct {
		a      worker.Assigner
		starts int64         // the first tick that may be minted
		waited time.Duration // once that is full
	}{
		"fenced":     {&testLease{id: 3, lo: bubbleStart.Unix(), hi: math.MaxInt64}, 24 * 3600, 0},
		"not fenced": {worker.Static(3), 24*3600 + 1, 60 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			c, clock := testConfig(), new(setClock)
			c.ClockBack, c.TickFull, c.AllowRepeats = policy.GoOn, policy.BorrowAhead(5), false
			c.Now = clock.Now
			synctest.Test(t, func(t *testing.T) {
				g, err := newDefault(t.Context(), r.a, c)
				require.NoError(t, err)
				defer g.Close()
				first, err := g.GetUIDContext(t.Context())
				require.NoError(t, err)
				assert.Equal(t, small(r.starts, 0), first)
				clock.step(-time.Minute + time.Second)
				set := time.Now()
				assert.Equal(t, small(r.starts, 15), take(t, g, 15)[14])
				assert.Zero(t, time.Since(set))
				id, err := g.GetUIDContext(t.Context())
				require.NoError(t, err)
				assert.Equal(t, small(r.starts+1, 0), id, "the tick is full")
				assert.Equal(t, r.waited, time.Since(set))
			})
		})
	}
}

// A worker id that is not fenced makes no ids ahead of the clock, which is no reason to make none
// in the tick that it shows.
func TestATurnOfAWorkerIdThatIsNotFenced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := unfenced()
		c.Layout.TurnBits, c.ClockBack = 1, policy.Turn
		clock := new(setClock)
		c.Now = clock.Now
		g, err := newDefault(t.Context(), worker.Static(3), c)
		require.NoError(t, err)
		defer g.Close()
		clock.step(9 * time.Second)
		take(t, g, 1)
		clock.step(-3 * time.Second)
		id, err := g.GetUIDContext(over())
		require.NoError(t, err)
		p, err := g.ParseUID(id)
		require.NoError(t, err)
		assert.Equal(t, []int64{24*3600 + 6, 1}, []int64{p.Tick, p.Turn})
	})
}

func TestTheLastTickThatIsBorrowedGivesOneID(t *testing.T) {
	for _, ahead := range []policy.BorrowAhead{-1, 0, 1} {
		c := testConfig()
		c.TickFull = ahead
		defaultInBubble(t, granted(0, 60), c, func(t *testing.T, g *DefaultGenerator) {
			ids, err := g.AppendUIDs(nil, 18)
			require.NoError(t, err)
			assert.Equal(t, []int64{0, 1, 2}, slices.Compact(seconds(t, ids)), ahead)
			assert.Equal(t, 2*time.Second, time.Since(bubbleStart), ahead)
		})
	}
}

// The smallest and the largest that a setting may be.
func TestSettingsAtTheirBounds(t *testing.T) {
	for what, change := range map[string]func(*settings){
		"RandomSeq": func(c *settings) { c.RandomSeq = 16 },
		"reserved from 0 on": func(c *settings) {
			c.ClockBack, c.MinSeq = policy.Reserved{Last: 3}, 4
		},
		"one number is reserved": func(c *settings) { c.ClockBack, c.MinSeq = policy.Reserved{}, 1 },
		"a tick of one id":       func(c *settings) { c.MinSeq = 15 },
	} {
		config := testConfig()
		change(&config)
		require.NoError(t, config.withDefaults().validate(), what)
	}
	for _, c := range []settings{{PaddingFactor: 1}, {PaddingFactor: 99},
		{ScheduleInterval: leastInterval}} {
		c.Layout = testLayout
		require.NoError(t, c.withDefaults().validate(), "%+v", c)
	}
	c := testConfig()
	c.OnLeaseLost = policy.GiveUp + 1
	require.ErrorIs(t, c.withDefaults().validate(), ErrConfig)
}

func TestPoliciesThatTheLayoutCannotCarryOut(t *testing.T) {
	reserves := func(first, last, minSeq int64) func(*settings) {
		return func(c *settings) {
			c.ClockBack, c.MinSeq = policy.Reserved{First: first, Last: last}, minSeq
		}
	}
	for says, change := range map[string]func(*settings){
		"set TurnBits to 1": func(c *settings) { c.ClockBack = policy.Turn },
		"Turn is 1":         func(c *settings) { c.Turn = 1 },
		"Turn is 2":         func(c *settings) { c.Turn, c.Layout.TurnBits = 2, 1 },
		"ClockBack is 3":    func(c *settings) { c.ClockBack = policy.Turn + 1 },
		"ClockBack is {0}": func(c *settings) {
			c.ClockBack = struct{ policy.WaitUpTo }{} // a policy of its own
		},
		"TickFull is 2": func(c *settings) { c.TickFull = policy.FailNow + 1 },
		"TickFull is {0}": func(c *settings) {
			c.TickFull = struct{ policy.BorrowAhead }{}
		},
		"reserve numbers from 0 on":       reserves(1, 4, 0),
		"1 to 4, and MinSeq is 4":         reserves(1, 4, 4),
		"-1 to 4":                         reserves(-1, 4, 5),
		"4 to 1":                          reserves(4, 1, 5),
		"MinSeq is -1":                    func(c *settings) { c.MinSeq = -1 },
		"MinSeq is 16: set it to 0 to 15": func(c *settings) { c.MinSeq = 16 },
		"RandomSeq is 17: set it to 0 to the 16 ids of a tick": func(c *settings) { c.RandomSeq = 17 },
		"RandomSeq is -1": func(c *settings) { c.RandomSeq = -1 },
	} {
		config := testConfig()
		change(&config)
		g, err := newDefault(t.Context(), worker.Static(1), config)
		require.ErrorIs(t, err, ErrConfig, says)
		assert.ErrorContains(t, err, says)
		assert.Nil(t, g)
	}
}
